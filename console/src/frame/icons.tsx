/** The shapes of the icons of the navigation, after Lucide (lucide.dev, ISC license). */
const shapes = {
  today: 'm3 9 9-7 9 7v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM9 22V12h6v10',
  employers: 'M6 22V4a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v18zM6 12H2v10h4M18 9h4v13h-4M10 6h4M10 10h4M10 14h4M10 18h4',
  people:
    'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M5 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0' +
    'M16 3.1a4 4 0 0 1 0 7.8M22 21v-2a4 4 0 0 0-3-3.9',
  money: 'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0M16 8h-6a2 2 0 1 0 0 4h4a2 2 0 1 1 0 4H8M12 18V6',
  activity: 'M22 12h-4l-3 9L9 3l-3 9H2',
  groups: 'm12 2 10 5-10 5L2 7zM2 12l10 5 10-5M2 17l10 5 10-5',
  audit: 'M3 12a9 9 0 1 0 9-9 9.7 9.7 0 0 0-6.7 2.7L3 8M3 3v5h5M12 7v5l4 2',
  developers: 'm18 16 4-4-4-4M6 8l-4 4 4 4M14.5 4l-5 16',
  settings: 'M21 4h-7M10 4H3M21 12h-9M8 12H3M21 20h-5M12 20H3M14 2v4M8 10v4M16 18v4',
  jobs: 'M13 5h8M13 12h8M13 19h8M3 17l2 2 4-4M3 7l2 2 4-4',
  access: 'M15.5 7.5 19 11l3-3-3-3M21 2l-9.6 9.6M2 15.5a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0',
  clocks: 'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0M12 6v6l4 2',
}

export type IconName = keyof typeof shapes

/** A sign before the name of a page, so that the eye finds it again. */
export const Icon = ({ of }: { of: IconName }) => (
  <svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
    <path
      d={shapes[of]}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
