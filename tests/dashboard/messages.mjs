// Both languages say the same: the same messages, the same plural forms, the same parts in braces, none of them unused.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

async function messagesOf(name) {
  const { outputFiles } = await build({ entryPoints: [`src/text/${name}.ts`], bundle: true, write: false, format: "esm" });
  return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`))[name];
}

const [en, de] = [await messagesOf("en"), await messagesOf("de")];
const problems = [];
const forms = (message) => (typeof message === "string" ? [message] : [message.one, message.other]);
const parts = (message) => [...new Set(forms(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort().join();
for (const key of new Set([...Object.keys(en), ...Object.keys(de)])) {
  if (!(key in en) || !(key in de)) problems.push(`${key} is missing in ${key in en ? "de" : "en"}`);
  else if (parts(en[key]) !== parts(de[key])) problems.push(`${key} has other parts in de than in en`);
  else if (typeof en[key] !== typeof de[key]) problems.push(`${key} has plural forms in one language only`);
  else if (![...forms(en[key]), ...forms(de[key])].every((text) => text.trim())) problems.push(`${key} is empty`);
}
const sources = readdirSync("src", { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("text/"))
  .map((name) => readFileSync(join("src", name), "utf8"))
  .join("\n");
// A key is used as a whole, or its beginning or its end is, with the rest put in: t(`status.${link.status}`).
const ends = [...sources.matchAll(/`\$\{\w+\}(\.\w+)`/g)].map((found) => found[1]);
const beginnings = [...sources.matchAll(/`([\w.-]+\.)\$\{/g)].map((found) => found[1]);
const inText = (key) => readFileSync("src/components/field.tsx", "utf8").includes("field.$") && key.startsWith("field.");
for (const key of Object.keys(en)) {
  if (!sources.includes(`"${key}"`) && !sources.includes(`\`${key}\``) && !beginnings.some((one) => key.startsWith(one)) && !ends.some((one) => key.endsWith(one)) && !inText(key)) problems.push(`${key} is not used`);
}
console.log(problems.join("\n"));
process.exitCode = problems.length > 0 ? 1 : 0;
