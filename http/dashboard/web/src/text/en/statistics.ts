import type { Message } from "../index";

export const statistics = {
  "nav.statistics": "Statistics",
  "top.title": "Top links of all time",
  "top.none": "No click yet",
  "top.noneText": "Share a link; its clicks are here within seconds.",
  "tags.toLinks": "Show its links",
} as const satisfies Record<string, Message>;
