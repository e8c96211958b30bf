import { css, unsafeCSS } from 'lit'
import tokens from '../../../ui/tokens.css'

/**
 * Every token may be set by the page: `--ob-accent`, `--ob-font`, `--ob-radius`, `--ob-ground`, and so on. Light or dark is what
 * the page is, unless `appearance` says otherwise.
 */
const own_tokens = tokens
  .replace(':root', ':host')
  .replace(/^\s+color-scheme: .+;$/m, '')
  .replaceAll(/^\s+--([\w-]+): (.+);$/gm, '  --$1: var(--ob-$1, $2);')

const base = css`
  :host {
    display: block;
    container-type: inline-size;
    font: var(--size) / 20px var(--font);
    color: var(--text);
    background: var(--ground);
  }
  :host([hidden]) {
    display: none;
  }
  :host([appearance='light']) {
    color-scheme: light;
  }
  :host([appearance='auto']) {
    color-scheme: light dark;
  }
  :host([appearance='dark']) {
    color-scheme: dark;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd,
  fieldset,
  figure {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: var(--size-title);
    line-height: 28px;
    font-weight: 620;
    letter-spacing: -0.01em;
  }
  h2:focus {
    outline: none;
  }
  h3 {
    font-size: var(--size);
    font-weight: 620;
  }
  h4 {
    font-size: var(--size);
    font-weight: 500;
  }
  a {
    color: var(--accent);
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
    border-radius: 3px;
  }
  .widget {
    padding: calc(5 * var(--space));
    display: flex;
    flex-direction: column;
    gap: calc(5 * var(--space));
    overflow-wrap: anywhere;
    font: var(--size) / 20px var(--font);
    color: var(--text);
    background: var(--ground);
    text-align: start;
    letter-spacing: normal;
    text-transform: none;
  }
  .drawn {
    display: contents;
  }
  [hidden] {
    display: none;
  }
  .widget > [role='alert']:empty {
    display: none;
  }
  p[role='status']:empty {
    position: absolute;
  }
  .quiet {
    color: var(--text-2);
  }
  .number {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    text-align: right;
  }
  .figure {
    font-size: var(--size-figure);
    line-height: 36px;
    font-weight: 620;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .stack {
    display: flex;
    flex-direction: column;
    gap: calc(3 * var(--space));
  }
  .wide {
    gap: calc(6 * var(--space));
  }
  .tight {
    gap: 2px;
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: calc(2 * var(--space)) calc(4 * var(--space));
    align-items: baseline;
    justify-content: space-between;
  }
  .line:has(> .number) {
    flex-wrap: nowrap;
  }
  .line > .number,
  .line:not(.start) > .status {
    margin-inline-start: auto;
  }
  .start {
    justify-content: flex-start;
    align-items: center;
  }
  legend {
    padding: 0;
  }
  summary {
    display: flex;
    gap: 8px;
    list-style: none;
    cursor: pointer;
  }
  summary::before {
    content: '›' / '';
    flex: none;
    width: 8px;
    color: var(--text-2);
  }
  details[open] > summary::before {
    transform: rotate(90deg);
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary > .line {
    flex: 1;
  }
  .made-of {
    padding: var(--space) 0 0 16px;
  }
`

const controls = css`
  button,
  .main {
    display: inline-block;
    min-height: var(--row);
    padding: 6px 14px;
    border-radius: var(--radius);
    border: 1px solid var(--line-strong);
    background: var(--ground);
    cursor: pointer;
  }
  button:hover {
    background: var(--ground-2);
  }
  .main {
    text-decoration: none;
    background: var(--accent-fill);
    border-color: var(--accent-fill);
    color: var(--on-accent);
    font-weight: 560;
  }
  .main:hover {
    background: var(--accent);
  }
  button.plain {
    min-height: 24px;
    margin: -2px 0;
    padding: 2px 0;
    text-align: left;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  button[aria-disabled='true'] {
    opacity: 0.6;
    cursor: default;
  }
  nav ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0 4px;
    border-bottom: 1px solid var(--line);
  }
  nav button {
    border: 0;
    border-bottom: 2px solid transparent;
    border-radius: 0;
    padding: 8px 10px;
    color: var(--text-2);
    background: none;
    white-space: nowrap;
  }
  nav button[aria-current] {
    color: var(--text);
    font-weight: 560;
    border-color: var(--accent);
  }
  nav button:focus-visible {
    outline-offset: -3px;
  }
  .field {
    display: flex;
    flex-direction: column;
    gap: 4px;
    max-width: 360px;
  }
  .field input,
  .field select {
    min-height: var(--row);
    width: 100%;
    padding: 6px 10px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--ground);
  }
  .field [aria-invalid='true'] {
    border-color: var(--bad);
  }
  .fault {
    color: var(--bad);
  }
  .whole {
    display: none;
  }
  .fields {
    display: grid;
    gap: 12px;
  }
  .tick {
    display: flex;
    gap: 10px;
    align-items: center;
    min-height: 32px;
  }
  input[type='checkbox'],
  input[type='radio'] {
    width: 18px;
    height: 18px;
    flex: none;
    margin: 0;
    accent-color: var(--accent-fill);
  }
  @container (max-width: 420px) {
    .whole {
      display: block;
    }
  }
  @container (min-width: 560px) {
    .fields {
      grid-template-columns: repeat(2, minmax(0, 360px));
    }
  }
  @container (min-width: 1000px) {
    [role='search'] {
      grid-template-columns: repeat(4, minmax(0, 280px));
    }
  }
`

const pieces = css`
  .trouble {
    padding: 10px 12px;
    border-radius: var(--radius);
    background: var(--wait-ground);
    color: var(--wait);
  }
  .call {
    padding: calc(3.5 * var(--space)) calc(4 * var(--space));
    border-radius: var(--radius);
    background: var(--accent-ground);
  }
  .status {
    display: inline-block;
    padding: 0 8px;
    border-radius: 10px;
    font-size: var(--size-small);
    white-space: nowrap;
    background: var(--over-ground);
    color: var(--over);
  }
  .status.good {
    background: var(--good-ground);
    color: var(--good);
  }
  .status.wait {
    background: var(--wait-ground);
    color: var(--wait);
  }
  .status.bad {
    background: var(--bad-ground);
    color: var(--bad);
  }
  .rows > li {
    padding: calc(2.5 * var(--space)) 0;
    border-top: 1px solid var(--line);
  }
  .rows > li:last-child {
    border-bottom: 1px solid var(--line);
  }
  .sheet {
    position: relative;
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    overflow-wrap: break-word;
  }
  th,
  td {
    padding: calc(2 * var(--space)) calc(3 * var(--space)) calc(2 * var(--space)) 0;
    border-bottom: 1px solid var(--line);
    text-align: left;
    vertical-align: top;
  }
  th {
    font-weight: 560;
  }
  th .quiet,
  th .status {
    font-weight: 400;
  }
  thead th {
    vertical-align: bottom;
    color: var(--text-2);
    font-weight: 400;
    font-size: var(--size-small);
    white-space: normal;
  }
  th.number,
  td.number {
    text-align: right;
  }
  th:last-child,
  td:last-child {
    padding-right: 0;
  }
  tfoot td,
  tfoot th {
    border-bottom: 0;
    font-weight: 620;
  }
  dl.facts {
    display: grid;
    grid-template-columns: minmax(40%, 1fr) fit-content(60%);
    gap: 4px 16px;
    max-width: 560px;
  }
  dl.facts dt {
    overflow-wrap: break-word;
  }
  dl.facts dd {
    font-variant-numeric: tabular-nums;
    text-align: right;
  }
  .plans {
    display: grid;
    gap: 8px;
  }
  .plan {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: var(--space) 10px;
    align-content: start;
    padding: calc(3 * var(--space));
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    cursor: pointer;
  }
  .plan.none {
    align-self: start;
  }
  .plan dl.facts {
    grid-template-columns: minmax(40%, 1fr) auto;
    overflow-wrap: break-word;
  }
  .plan > :not(input) {
    grid-column: 2;
  }
  .plan > strong {
    grid-row: 1;
  }
  .plan:has(input:checked) {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
    background: var(--accent-ground);
  }
  .total {
    position: sticky;
    bottom: 0;
    padding: 12px 0;
    background: var(--ground);
    border-top: 1px solid var(--line-strong);
  }
  .chart {
    max-width: 720px;
  }
  .bone {
    display: block;
    height: 20px;
    border-radius: var(--radius);
    background: var(--ground-3);
  }
  .bone.figure {
    height: 58px;
    max-width: 320px;
  }
  @container (max-width: 420px) {
    .bone.figure {
      height: 78px;
    }
  }
  .bones {
    display: grid;
    gap: 16px;
    min-height: 440px;
    align-content: start;
  }
  .widget:has(.bone):not(:has(.trouble)) > slot[name='help'] {
    visibility: hidden;
  }
  svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  svg .ground {
    fill: var(--ground-3);
  }
  svg .waiting {
    fill: var(--wait-fill);
  }
  svg .covered {
    fill: var(--good-fill);
  }
  svg .over {
    fill: var(--over-fill);
  }
  svg .bar {
    fill: var(--accent-fill);
  }
  svg .today {
    stroke: var(--text);
    stroke-width: 1;
  }
  @container (min-width: 560px) {
    .plans {
      grid-template-columns: repeat(auto-fit, minmax(248px, 1fr));
    }
  }
  @container (max-width: 520px) {
    .bones {
      min-height: 640px;
    }
    tr {
      display: grid;
      padding: calc(2 * var(--space)) 0;
      border-bottom: 1px solid var(--line);
    }
    thead {
      position: absolute;
      display: block;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    tbody th,
    tfoot th,
    td {
      padding: 2px 0;
      border: 0;
    }
    td {
      display: flex;
      gap: 16px;
      justify-content: space-between;
    }
    td::before {
      content: attr(data-name) / '';
      flex: none;
      max-width: 50%;
      color: var(--text-2);
      white-space: normal;
    }
    td > div {
      text-align: right;
    }
    td:not(:has(> div:not(:empty))) {
      display: none;
    }
  }
  @media print {
    nav,
    .unprinted,
    slot {
      display: none;
    }
    :host {
      color-scheme: light;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .bone {
      animation: breathe 1.6s ease-in-out infinite alternate;
    }
    @keyframes breathe {
      to {
        opacity: 0.5;
      }
    }
  }
`

export const sheets = [unsafeCSS(own_tokens), base, controls, pieces]
