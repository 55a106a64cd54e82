import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link } from "../../api/types";
import { Select, TextField } from "../../components/field";
import { ProblemBox } from "../../components/problem";
import { t } from "../../text";

const DEVICES = ["desktop", "mobile", "tablet", "bot"] as const;
const SYSTEMS = ["ios", "android", "windows", "macos", "linux", "chromeos"] as const;
const ASKED_AFTER = 300; // milliseconds without another change

/** Where a visitor of such a kind would be sent, and why; the server says it, without a click. */
export function Preview({ link, dirty, version, explain }: { link: Link; dirty?: boolean; version?: unknown; explain?: boolean }) {
  const [device, setDevice] = useState("");
  const [os, setOs] = useState("");
  const [country, setCountry] = useState("");
  const [language, setLanguage] = useState("");
  const [query, setQuery] = useState("");
  const found = useLoad(
    async (signal) => {
      await new Promise((done) => setTimeout(done, ASKED_AFTER));
      signal.throwIfAborted();
      return api.get("/links/{link_id}/resolve", { in: { link_id: link.id }, query: { device, os, country, language, query }, signal });
    },
    [link.id, link.updatedAt, device, os, country, language, query, version],
  );
  const any = { value: "", label: t("preview.any") };
  return (
    <details class="part" open={explain ?? false}>
      <summary>{t("preview.title")}</summary>
      {dirty ? <p class="field-hint">{t("preview.unsaved")}</p> : null}
      <div class="two">
        <Select label={t("by.device")} value={device} onValue={setDevice} choices={[any, ...DEVICES.map((one) => ({ value: one, label: t(`device.${one}`) }))]} />
        <Select label={t("by.os")} value={os} onValue={setOs} choices={[any, ...SYSTEMS.map((one) => ({ value: one, label: t(`os.${one}`) }))]} />
        <TextField label={t("preview.country")} maxLength={2} placeholder="de" value={country} onValue={setCountry} />
        <TextField label={t("by.language")} placeholder="de-AT" value={language} onValue={setLanguage} />
      </div>
      <TextField label={t("preview.query")} placeholder="utm_source=mail" value={query} onValue={setQuery} />
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {found.data ? (
        <div class="result" aria-live="polite">
          <strong>{t("preview.leads")}</strong>
          <bdi class="break">{found.data.destination ?? t("preview.nowhere")}</bdi>
          <p class="muted" dir="auto">
            {found.data.reason}
          </p>
          {explain && found.data.rules.length > 0 ? (
            <ol class="tried">
              {found.data.rules.map((rule) => (
                <li key={rule.id}>
                  <span class={rule.matched ? "status good" : "status"}>{rule.matched ? t("preview.holds") : t("preview.not")}</span>
                  <bdi class="break">{rule.reason}</bdi>
                </li>
              ))}
            </ol>
          ) : null}
        </div>
      ) : null}
    </details>
  );
}
