import type { Message } from "../index";
import type { statistics as english } from "../en/statistics";

export const statistics: Record<keyof typeof english, Message> = {
  "nav.statistics": "Statistik",
  "top.title": "Meistgeklickte Links aller Zeiten",
  "top.none": "Noch kein Klick",
  "top.noneText": "Teilen Sie einen Link; seine Klicks stehen nach Sekunden hier.",
  "tags.toLinks": "Seine Links zeigen",
};
