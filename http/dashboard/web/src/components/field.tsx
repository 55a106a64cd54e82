import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { FieldError } from "../api/client";
import { isKey, language, t } from "../text";

/**
 * The sentence for a refused field. The server's own words, which are English, say more than the code does; in other
 * languages the code has a sentence.
 */
export function fieldSentence(error: FieldError): string {
  const key = `field.${error.code}`;
  const known = isKey(key) ? t(key) : "";
  if (language.value !== "en" || error.code === "RequiredField" || error.code === "AlreadyExists") return known || error.verbose || error.message;
  const said = error.message || error.verbose || known;
  return said.charAt(0).toUpperCase() + said.slice(1);
}

export interface FieldProps {
  label: string;
  /** Stands below, for as long as nothing is wrong. */
  hint?: string | undefined;
  error?: string | undefined;
  optional?: boolean;
  /** The part beside the control, such as a button. */
  aside?: ComponentChildren;
}

function Frame({ id, label, hint, error, optional, aside, children }: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class={error ? "field bad" : "field"}>
      <label for={id}>
        {label}
        {optional ? <span class="optional">{t("optional")}</span> : null}
      </label>
      <div class="field-row">
        {children}
        {aside}
      </div>
      {error || hint ? (
        <p id={`${id}-note`} class={error ? "field-error" : "field-hint"} dir="auto" role={error ? "alert" : undefined}>
          {error || hint}
        </p>
      ) : null}
    </div>
  );
}

function noted(id: string, props: FieldProps) {
  return {
    id,
    "aria-invalid": props.error ? true : undefined,
    "aria-describedby": props.error || props.hint ? `${id}-note` : undefined,
  } as const;
}

/** What an input may be given besides. */
interface InputProps {
  type?: "text" | "url" | "email" | "password" | "number" | "date" | "datetime-local" | "color";
  name?: string;
  placeholder?: string;
  autocomplete?: string;
  autocapitalize?: "none";
  inputmode?: "url" | "email" | "numeric" | "decimal";
  spellcheck?: boolean;
  required?: boolean;
  disabled?: boolean;
  readOnly?: boolean;
  autofocus?: boolean;
  maxLength?: number;
  min?: string | number;
  max?: string | number;
  step?: string | number;
}

export function TextField({ label, hint, error, optional, aside, value, onValue, ...rest }: FieldProps & InputProps & { value: string; onValue: (value: string) => void }) {
  const id = useId();
  const frame = { label, hint, error, aside, ...(optional ? { optional } : {}) };
  return (
    <Frame id={id} {...frame}>
      <input dir="auto" {...(rest as object)} {...noted(id, frame)} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
    </Frame>
  );
}

export function TextArea({ label, hint, error, optional, aside, value, onValue, ...rest }: FieldProps & { value: string; onValue: (value: string) => void; rows?: number; disabled?: boolean; maxLength?: number; spellcheck?: boolean }) {
  const id = useId();
  const frame = { label, hint, error, aside, ...(optional ? { optional } : {}) };
  return (
    <Frame id={id} {...frame}>
      <textarea dir="auto" rows={3} {...rest} {...noted(id, frame)} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
    </Frame>
  );
}

/** Nothing is sent anywhere: whoever asks for the file says what becomes of it. */
export function FileField({ label, hint, error, optional, accept, onFile }: FieldProps & { accept: string; onFile: (file: File | undefined) => void }) {
  const id = useId();
  const frame = { label, hint, error, ...(optional ? { optional } : {}) };
  return (
    <Frame id={id} {...frame}>
      <input type="file" accept={accept} {...noted(id, frame)} onChange={(event) => onFile(event.currentTarget.files?.[0])} />
    </Frame>
  );
}

export interface Choice {
  value: string;
  label: string;
}

export function Select({ label, hint, error, optional, aside, value, onValue, choices, ...rest }: FieldProps & { value: string; onValue: (value: string) => void; choices: readonly Choice[]; disabled?: boolean }) {
  const id = useId();
  const frame = { label, hint, error, aside, ...(optional ? { optional } : {}) };
  return (
    <Frame id={id} {...frame}>
      <select {...rest} {...noted(id, frame)} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {choices.map((one) => (
          <option key={one.value} value={one.value} selected={one.value === value}>
            {one.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function Checkbox({ label, hint, checked, onChecked, disabled }: { label: string; hint?: string; checked: boolean; onChecked: (checked: boolean) => void; disabled?: boolean }) {
  const id = useId();
  return (
    <div class="check">
      <input id={id} type="checkbox" checked={checked} disabled={disabled ?? false} aria-describedby={hint ? `${id}-note` : undefined} onChange={(event) => onChecked(event.currentTarget.checked)} />
      <label for={id} dir="auto">
        {label}
      </label>
      {hint ? (
        <p id={`${id}-note`} class="field-hint">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
