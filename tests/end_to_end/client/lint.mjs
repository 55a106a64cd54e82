// Lints an OpenAPI document with Redocly's strict rules; prints the findings and fails when there is one.
import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

// The document about the documents cannot be refused, so it has no 4XX.
const config = await createConfig({ extends: ['recommended-strict'], rules: { 'operation-4xx-response': 'off' } });
// By the path alone "/links/by-external-id/tags" could be the tags of a link "by-external-id"; but ids are 32 hexadecimal
// digits, which the rule does not look at.
const isNoId = (problem) => problem.ruleId === 'no-ambiguous-paths' && problem.message.includes('`/links/by-external-id/{external_id}`');
const problems = (await lint({ ref: process.argv[2], config })).filter((problem) => !isNoId(problem));
const totals = getTotals(problems);
formatProblems(problems, { totals, version: '1', maxProblems: 200 });
process.exit(totals.errors + totals.warnings > 0 ? 1 : 0);
