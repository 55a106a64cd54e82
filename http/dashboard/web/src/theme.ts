// Light, dark, or as the system has it.
import { effect, signal } from "@preact/signals";
import { remember, remembered } from "./storage";

export type Theme = "system" | "light" | "dark";
export const themes: readonly Theme[] = ["system", "light", "dark"];
const last = remembered("theme");
export const theme = signal<Theme>(themes.find((one) => one === last) ?? "system");

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  remember("theme", chosen);
}
