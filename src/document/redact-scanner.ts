/** The well-kept scanner's rules, over one text. Loaded only where something is stored. */
import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { type Finding, isNoStandIn } from "./redact-rules.js";

export async function findByScanner(text: string): Promise<Finding[]> {
  const { messages } = await lintSource({
    source: { filePath: "handoff.md", content: text, ext: ".md", contentType: "text" },
    options: { config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }] } },
  });
  return messages
    .map(({ range: [start, end], ruleId }) => ({
      start,
      end,
      rule: ruleId.replace(/^.*secretlint-rule-/, ""),
    }))
    .filter(({ start, end }) => end > start && isNoStandIn(text.slice(start, end)));
}
