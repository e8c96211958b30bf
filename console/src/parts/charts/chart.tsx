import 'uplot/dist/uPlot.min.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import './valid-language.ts'
import uPlot from 'uplot'

type ChartProps = {
  title: string
  /** the value of the last month, in words */
  latest: string
  /** the names of the months */
  names: string[]
  values: (number | null)[]
  /** the top of the scale; by default the highest value */
  max?: number
  format: (value: number) => string
  /** bars instead of a line */
  bars?: boolean
}

const height = 180

/** The color of a custom property in the current theme. Canvas cannot resolve `light-dark()` itself. */
function resolveColor(frame: HTMLElement, property: string): string {
  const probe = frame.querySelector<HTMLElement>('.chart-color')!
  probe.style.color = `var(${property})`
  return getComputedStyle(probe).color
}

function chartOptions({ title, names, max, format, bars = false }: ChartProps, frame: HTMLElement): uPlot.Options {
  const color = (property: string) => () => resolveColor(frame, property)
  const lines = { stroke: color('--line'), width: 1 }
  const text = { stroke: color('--text-2'), font: '12px Inter Variable, sans-serif', ticks: { show: false } }
  return {
    width: frame.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [12, 8, 0, 0],
    scales: {
      x: { time: false, range: [-0.5, names.length - 0.5] },
      y: { range: (_, __, highest) => [0, max ?? Math.max(highest * 1.1, 1)] },
    },
    axes: [
      {
        ...text,
        grid: { show: false },
        splits: () => names.map((_, at) => at),
        values: (_, splits) => splits.map((at) => (frame.clientWidth < 420 && at % 2 === 1 ? '' : names[at]!)),
      },
      { ...text, grid: lines, size: 52, space: 48, values: (_, splits) => splits.map(format) },
    ],
    series: [
      {},
      {
        label: title,
        stroke: color('--accent-fill'),
        width: 2,
        points: { show: !bars, size: 6, fill: color('--ground') },
        ...(bars && { fill: color('--accent-fill'), width: 0, paths: uPlot.paths.bars!({ size: [0.6, 40] }) }),
      },
    ],
  }
}

/** A small chart of a value by month. Its numbers are in the table below it, so screen readers skip the drawing. */
export function Chart(props: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { title, latest, names, values } = props
  const data = JSON.stringify([names, values])
  const optionsFor = useEffectEvent((drawn_in: HTMLElement) => chartOptions(props, drawn_in))
  useEffect(() => {
    const drawn_in = frame.current!
    const [names, values] = JSON.parse(data) as [string[], (number | null)[]]
    const chart = new uPlot(optionsFor(drawn_in), [names.map((_, at) => at), values], drawn_in)
    const resized = new ResizeObserver(() => chart.setSize({ width: drawn_in.clientWidth, height }))
    resized.observe(drawn_in)
    const redraw = () => chart.redraw()
    // The theme follows the device, or the choice in the account menu.
    const device = matchMedia('(prefers-color-scheme: dark)')
    device.addEventListener('change', redraw)
    const chosen = new MutationObserver(redraw)
    chosen.observe(document.documentElement, { attributeFilter: ['style'] })
    return () => {
      resized.disconnect()
      device.removeEventListener('change', redraw)
      chosen.disconnect()
      chart.destroy()
    }
  }, [data])
  return (
    <figure className="chart">
      <figcaption>
        {title} <span className="quiet">{latest}</span>
      </figcaption>
      <div ref={frame} aria-hidden="true">
        <span className="chart-color" />
      </div>
    </figure>
  )
}
