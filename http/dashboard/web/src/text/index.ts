// Every word that people see goes through t(). The messages are in one file per language: en.ts, de.ts; one is loaded.
import { signal } from "@preact/signals";
import { remember, remembered } from "../storage";
import type { en } from "./en";

/** One text, or one for each plural form that the language has, told apart by {n}. */
export type Message = string | { readonly one: string; readonly other: string };
export type Key = keyof typeof en;
export type Messages = Readonly<Record<Key, Message>>;

export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;
const load: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import("./en")).en,
  de: async () => (await import("./de")).de,
};

function firstLanguage(): Language {
  const wanted = [remembered("language"), ...navigator.languages].map((one) => one.slice(0, 2));
  return (wanted.find((one) => one in languages) as Language | undefined) ?? "en";
}

export const language = signal<Language>(firstLanguage());
let messages: Messages;

/** To be waited for before anything is shown. */
export async function loadMessages(): Promise<void> {
  messages = await load[language.value]();
}

/** From then on in this language, unless its messages cannot be had: then as before. */
export async function setLanguage(chosen: Language): Promise<void> {
  messages = await load[chosen]();
  language.value = chosen;
  remember("language", chosen);
}

/** The message with what stands in its braces replaced; numbers are written as the language does. */
export function t(key: Key, parts: Readonly<Record<string, string | number>> = {}): string {
  const message: Message = messages[key];
  let text: string;
  if (typeof message === "string") text = message;
  else text = new Intl.PluralRules(language.value).select(Number(parts["n"])) === "one" ? message.one : message.other;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parts[name];
    return value === undefined ? whole : typeof value === "number" ? value.toLocaleString(language.value) : value;
  });
}

/** Whether there is such a message: for names that the server chooses. */
export function isKey(key: string): key is Key {
  return key in messages;
}
