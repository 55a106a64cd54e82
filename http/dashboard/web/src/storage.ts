// Settings of the browser: theme, language, workspace. Nothing that must stay secret.

export function remembered(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

/** In this tab and, for tabs to come, in the browser. */
export function remember(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
    localStorage.setItem(name, value);
  } catch {
    // a browser that keeps nothing still works
  }
}
