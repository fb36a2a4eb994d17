import { perHour, perMonth, unpricedNote } from '../terminal/money.ts'
import type { Style } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { clip, padEnd } from '../terminal/text-width.ts'
import type { ClaimRow, ClaimStage, ClusterView } from './cluster-view.ts'

export interface Frame {
  readonly view: ClusterView
  readonly title: string
  /** Lines that stay: the KUBECONFIG to paste, the dashboard's address. */
  readonly notes: readonly string[]
  /** What happened lately, oldest first. */
  readonly log: readonly string[]
}

const stageMark: Readonly<Record<ClaimStage, string>> = {
  launching: '◌ launching',
  registering: '◔ registering',
  initialising: '◑ initialising',
  ready: '● ready',
  going: '○ terminating',
}

const stageFormat = (stage: ClaimStage): Parameters<Style>[0] => {
  switch (stage) {
    case 'launching':
    case 'registering':
    case 'initialising':
      return 'yellow'
    case 'ready':
      return 'green'
    case 'going':
      return 'gray'
  }
}

const meter = (used: number | undefined): string =>
  used === undefined ? '' : `${bar(used, 6)} ${String(Math.round(used * 100)).padStart(3)}%`

const bar = (share: number, width: number): string => {
  const full = Math.min(width, Math.max(0, Math.round(share * width)))
  return '█'.repeat(full) + '░'.repeat(width - full)
}

/** `12 pending → 3 starting → 40 running`, with a bar over all pods. */
const podLine = (view: ClusterView, style: Style, width: number): string => {
  const { pending, starting, running, terminating } = view.pods
  const all = pending + starting + running
  const share = all === 0 ? 0 : running / all
  const parts = [
    style(pending > 0 ? 'yellow' : 'gray', `${pending} pending`),
    style(starting > 0 ? 'cyan' : 'gray', `${starting} starting`),
    style(running > 0 ? 'green' : 'gray', `${running} running`),
  ]
  const going = terminating > 0 ? style('gray', `, ${terminating} terminating`) : ''
  return `${padEnd('Pods', 7)}${bar(share, Math.min(24, Math.max(8, width - 60)))}  ${parts.join(' → ')}${going}`
}

const claimTable = (claims: readonly ClaimRow[], style: Style, width: number): readonly string[] =>
  table(
    claims,
    [
      { title: 'NODE', value: (row) => row.node ?? row.claim, shrink: true },
      {
        title: 'STATE',
        value: (row) => stageMark[row.stage],
        paint: (text, row) => style(stageFormat(row.stage), text),
      },
      { title: 'TYPE', value: (row) => row.instanceType ?? '…' },
      { title: 'ZONE', value: (row) => row.zone ?? '…' },
      { title: 'CAPACITY', value: (row) => row.capacityType ?? '…' },
      { title: 'PODS', value: (row) => String(row.pods), align: 'right' },
      { title: 'CPU', value: (row) => meter(row.cpuUsed) },
      { title: 'MEMORY', value: (row) => meter(row.memoryUsed) },
      {
        title: 'PRICE',
        value: (row) => (row.hourlyPrice === undefined ? '…' : perHour(row.hourlyPrice)),
        align: 'right',
      },
    ],
    width,
  )

/** The screen as lines, each at most `width` columns. `height` limits the log only. */
export const renderView = (
  frame: Frame,
  size: { readonly width: number; readonly height: number },
  style: Style,
): readonly string[] => {
  const { view } = frame
  const { width } = size
  const state = view.settled ? style('green', 'settled') : style('yellow', 'working')
  // Of a claim without instance type nothing is known yet, its price neither.
  const unpriced = view.claims.filter((row) => row.instanceType !== undefined && row.hourlyPrice === undefined).length
  const lines: string[] = [
    `${style('bold', frame.title)}  ${state}  ${style('gray', `${view.seconds.toFixed(1)} s`)}`,
    '',
    podLine(view, style, width),
    `${padEnd('Cost', 7)}${style('bold', perHour(view.hourlyCost))}  ${style('gray', `${perMonth(view.hourlyCost)}${unpricedNote(unpriced)}`)}`,
    '',
  ]
  if (view.claims.length > 0) {
    const [head = '', ...rows] = claimTable(view.claims, style, width)
    lines.push(style('gray', head), ...rows, '')
    const whys = view.claims.flatMap((row) =>
      row.why === undefined ? [] : [{ name: row.node ?? row.claim, why: row.why }],
    )
    if (whys.length > 0) {
      lines.push(style('bold', 'Why these nodes'))
      for (const { name, why } of whys.slice(0, 6)) lines.push(style('gray', clip(`  ${name}: ${why}`, width)))
      if (whys.length > 6) lines.push(style('gray', `  … and ${whys.length - 6} more`))
      lines.push('')
    }
  } else {
    lines.push(style('gray', 'No nodes yet.'), '')
  }
  if (view.waiting.length > 0) {
    lines.push(style('yellow', 'Unschedulable pods'))
    for (const { pod, why } of view.waiting.slice(0, 5)) lines.push(clip(`  ${pod}: ${why}`, width))
    if (view.waiting.length > 5) lines.push(style('gray', `  … and ${view.waiting.length - 5} more`))
    lines.push('')
  }
  const notes = frame.notes.length > 0 ? [...frame.notes, ''] : []
  const room = Math.max(3, size.height - lines.length - notes.length - 2)
  const log = frame.log.slice(-room).map((line) => style('gray', clip(line, width)))
  return [...lines, ...log, ...(log.length > 0 ? [''] : []), ...notes.map((line) => clip(line, Math.max(width, 200)))]
}
