import { escapeHtml } from '../simulate/plot.ts'
import { perHour } from '../terminal/money.ts'
import type { ReportDocument } from './report-document.ts'
import { costsAfter, reportPriceMark } from './report-tables.ts'

const WIDTH = 900
const ROW = 30
const LABEL = 400
const VALUE = 110

interface Bar {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly kind: 'whole' | 'saved' | 'perhaps'
  readonly value: string
}

const LONGEST = 60

const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

const barsOf = (report: ReportDocument): readonly Bar[] => {
  const mark = reportPriceMark(report)
  const after = costsAfter(report)
  const { comparedCost } = report.now
  const bars: Bar[] = [{ label: 'Now', from: 0, to: comparedCost, kind: 'whole', value: perHour(comparedCost, mark) }]
  const whole = (label: string, cost: number): Bar => ({
    label,
    from: 0,
    to: cost,
    kind: 'whole',
    value: perHour(cost, mark),
  })
  let hasPlanned = false
  const planned = report.planned?.comparedCost ?? comparedCost
  report.findings.forEach(({ title, saves, kind }, index) => {
    if (kind === 'constraint' && !hasPlanned) {
      bars.push(whole('Planned now', planned))
      hasPlanned = true
    }
    const left = after[index] ?? 0
    bars.push({
      label: `${index + 1}. ${title}`,
      from: left,
      to: left + saves,
      kind: kind === 'constraint' ? 'perhaps' : 'saved',
      value: `− ${perHour(saves, mark)}`,
    })
  })
  bars.push(hasPlanned ? whole('Without these constraints', after.at(-1) ?? planned) : whole('Planned now', planned))
  return bars
}

/** Returns a waterfall chart from the current cost to the planned cost, with a step for each finding. */
export const waterfall = (report: ReportDocument): string => {
  const bars = barsOf(report)
  const most = Math.max(...bars.map(({ to }) => to), 1e-9)
  const x = (value: number): number => LABEL + (value / most) * (WIDTH - LABEL - VALUE)
  const rows = bars.map(({ label, from, to, kind, value }, index) => {
    const top = index * ROW
    const width = Math.max(1.5, x(to) - x(from))
    return `<g><title>${escapeHtml(`${label}: ${value}`)}</title><text x="${LABEL - 10}" y="${top + ROW / 2}" class="label${kind === 'whole' ? ' strong' : ''}">${escapeHtml(clipped(label))}</text><rect x="${x(from).toFixed(1)}" y="${top + 5}" width="${width.toFixed(1)}" height="${ROW - 10}" rx="2" class="bar ${kind}"/><text x="${(x(to) + 8).toFixed(1)}" y="${top + ROW / 2}" class="value${kind === 'whole' ? ' strong' : ''}">${escapeHtml(value)}</text></g>`
  })
  const height = bars.length * ROW
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="From the current cost to the cost of a plan, finding by finding">${rows.join('')}</svg>`
}

const PARTS = 10

/** Returns a chart that groups nodes by the fraction of their capacity that pods request, and shows the cost of each group. */
export const fullness = (report: ReportDocument): string => {
  const mark = reportPriceMark(report)
  const costs = Array.from({ length: PARTS }, () => ({ cost: 0, nodes: 0 }))
  for (const { used, price } of report.nodes) {
    const part = costs[Math.min(PARTS - 1, Math.floor(used * PARTS))]
    if (part === undefined || price === undefined) continue
    part.cost += price
    part.nodes++
  }
  const most = Math.max(...costs.map(({ cost }) => cost), 1e-9)
  const [height, bottom, top, left] = [200, 40, 24, 10]
  const step = (WIDTH - 2 * left) / PARTS
  const columns = costs.map(({ cost, nodes }, index) => {
    const tall = (cost / most) * (height - bottom - top)
    const place = left + index * step
    const label = `${index * 10}–${(index + 1) * 10} %`
    const count = nodes === 0 ? '' : String(nodes)
    return `<g><title>${escapeHtml(`${label} used: ${nodes} nodes, ${perHour(cost, mark)}`)}</title><rect x="${(place + 4).toFixed(1)}" y="${(height - bottom - tall).toFixed(1)}" width="${(step - 8).toFixed(1)}" height="${tall.toFixed(1)}" rx="2" class="bar whole"/><text x="${(place + step / 2).toFixed(1)}" y="${(height - bottom - tall - 6).toFixed(1)}" class="middle strong">${count}</text><text x="${(place + step / 2).toFixed(1)}" y="${height - bottom + 16}" class="middle">${label}</text></g>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Cost of nodes by how full they are">${columns.join('')}<line x1="${left}" x2="${WIDTH - left}" y1="${height - bottom}" y2="${height - bottom}" class="grid"/><text x="${WIDTH / 2}" y="${height - 6}" class="middle">share of cpu or memory requested by pods; the height is the cost of the nodes, the number their count</text></svg>`
}
