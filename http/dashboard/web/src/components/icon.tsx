// Pictures of 24 by 24, drawn with lines of the text's colour. They say nothing by themselves: a word or label does.
const SHAPES = {
  link: "M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L12 5.6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12 18.4",
  chart: "M4 20V10m5.3 10V4m5.4 16v-8M20 20V7",
  tag: "M3.5 12.5V4.5a1 1 0 0 1 1-1h8l8 8a1.4 1.4 0 0 1 0 2l-7 7a1.4 1.4 0 0 1-2 0zM8 8h.01",
  code: "m8 7-5 5 5 5m8-10 5 5-5 5m-2-13-4 16",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 0c5 5.5 5 12.5 0 18-5-5.5-5-12.5 0-18zM3 12h18",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6.5 9a6.5 6.5 0 0 1 13 0M16 4.300a3.5 3.5 0 0 1 0 6.400M18 14.5a6.5 6.5 0 0 1 3.5 5.5",
  box: "M12 3 4 7.200v9.600L12 21l8-4.200V7.200zM4 7.200l8 4.3 8-4.300M12 11.5V21",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 9a8 8 0 0 1 16 0",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 4.5 4.5",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  check: "m5 12.5 4.5 4.5L19 7.5",
  copy: "M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM4.5 15.5A1 1 0 0 1 4 14.600V4.5a1 1 0 0 1 1-1h10a1 1 0 0 1 .9.5",
  qr: "M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h2v2h-2zm4 0h2m-6 4v2m4-2h2v2h-2z",
  star: "m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.900L3.5 9.700l5.9-.8z",
  edit: "M4 20h4L19.5 8.5a2 2 0 0 0 0-2.800l-1.2-1.200a2 2 0 0 0-2.8 0L4 16zM13.5 6.5l4 4",
  trash: "M4 6.5h16M9 6V4h6v2m-8.5.5.8 13.5h9.400l.8-13.5M10 10.5v6m4-6v6",
  pause: "M8.5 5v14m7-14v14",
  play: "M7 4.5v15l12-7.5z",
  filter: "M4 6h16M7 12h10m-7 6h4",
  menu: "M4 7h16M4 12h16M4 17h16",
  left: "m14 6-6 6 6 6",
  right: "m10 6 6 6-6 6",
  up: "m6 14 6-6 6 6",
  down: "m6 10 6 6 6-6",
  outside: "M14 4h6v6m0-6-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
  download: "M12 4v11m-5-4.5 5 5 5-5M4 20h16",
  alert: "M12 8v5m0 3.5h.01M12 3.5 2.5 20h19z",
  info: "M12 11v5.5M12 7.5h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.5m0 15V21M3 12h1.5m15 0H21M5.6 5.600l1.1 1.100m10.6 10.6 1.1 1.100m0-12.8-1.1 1.100M6.7 17.300l-1.1 1.1",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  screen: "M3.5 5h17v11h-17zM9 20h6m-3-4v4",
  keyboard: "M3 6.5h18v11H3zM7 10h.01M11 10h.01M15 10h.01M17.5 10h.01M8 14h8",
  leave: "M10 4H5a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h5m5-4 4-4-4-4m4 4H9",
  clock: "M12 7v5.5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  route: "M6 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm12-12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 18h7.5a3.5 3.5 0 0 0 0-7h-7a3.5 3.5 0 0 1 0-7H16",
  settings: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 7h9m4 0h3M4 17h3m4 0h9",
  phone: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zm3 15h2",
  image: "M4 5h16v14H4zm0 11 5-5 4 4 3-3 4 4M15 9h.01",
  merge: "M20 12h-9L5 6H3m8 6-6 6H3m14-9 3 3-3 3",
  target: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zm0 4.5h.01",
  split: "M4 12h5l6-6h5m0 0-3-3m3 3-3 3M9 12l6 6h5m0 0-3-3m3 3-3 3",
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name, filled }: { name: IconName; filled?: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill={filled ? "currentColor" : "none"}>
      <path d={SHAPES[name]} />
    </svg>
  );
}
