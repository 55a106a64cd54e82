// What the sources may not do: show a word that has not gone through t(), or make markup or code of text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const folder = process.argv[2];
const problems = [];
// Attributes that people see or hear.
const SHOWN = new Set(["title", "placeholder", "alt", "label", "hint", "text", "aria-label", "aria-description", "caption", "name-shown", "action"]);
const FORBIDDEN = /\b(dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function|setTimeout\(\s*["'`]|style=")/;
// Commands and names that are the same in every language.
const SAME_EVERYWHERE = /^(slashpost-admin sign-in-address|USER|utm_source=mail|de-AT|de|en_US|website)$/;

function words(text) {
  const trimmed = text.replace(/\s+/g, " ").trim();
  return /\p{L}/u.test(trimmed) && !SAME_EVERYWHERE.test(trimmed);
}

function look(path) {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const tell = (node, what) => problems.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
  for (const [index, line] of text.split("\n").entries()) {
    const found = FORBIDDEN.exec(line.replace(/\/\/.*/, ""));
    if (found) problems.push(`${path}:${index + 1}: ${found[1]} is forbidden`);
  }
  const literal = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
  // The strings that an expression can be worth.
  const values = (node) =>
    literal(node) ? [node]
    : ts.isConditionalExpression(node) ? [...values(node.whenTrue), ...values(node.whenFalse)]
    : ts.isParenthesizedExpression(node) ? values(node.expression)
    : ts.isBinaryExpression(node) && [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.PlusToken].includes(node.operatorToken.kind)
      ? [...values(node.left), ...values(node.right)] : [];
  const visit = (node) => {
    if (ts.isJsxText(node) && words(node.text)) tell(node, `"${node.text.trim()}" does not go through t()`);
    if (ts.isJsxExpression(node) && node.expression && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))) {
      for (const one of values(node.expression)) if (words(one.text)) tell(one, `"${one.text}" does not go through t()`);
    }
    if (ts.isJsxAttribute(node) && SHOWN.has(node.name.getText()) && node.initializer) {
      const given = ts.isJsxExpression(node.initializer) ? values(node.initializer.expression) : [node.initializer];
      for (const one of given) if (literal(one) && words(one.text)) tell(one, `"${one.text}" does not go through t()`);
    }
    if (ts.isCallExpression(node) && /^(toast|confirm)$/.test(node.expression.getText()) && node.arguments[0]) {
      for (const one of values(node.arguments[0])) if (words(one.text)) tell(one, `"${one.text}" does not go through t()`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

for (const name of readdirSync(folder, { recursive: true })) if (/\.tsx?$/.test(name) && !name.endsWith(".d.ts")) look(join(folder, name));
console.log(problems.join("\n"));
process.exitCode = problems.length > 0 ? 1 : 0;
