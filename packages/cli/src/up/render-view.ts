import { type Column, clip, padEnd, type Style, table, textWidth } from '@kerf/provider-kit/terminal'
import { perHour, perMonth, unpricedNote } from '../terminal/money.ts'
import type { ClaimRow, ClaimStage, ClusterView } from './cluster-view.ts'

export interface Frame {
  readonly view: ClusterView
  readonly title: string
  /** Lines that are always shown, such as the KUBECONFIG to copy and the dashboard's address. */
  readonly notes: readonly string[]
  /** The latest events, oldest first. */
  readonly log: readonly string[]
  /** Whether the help page is shown in place of the cluster's sections. */
  readonly showsHelp?: boolean
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

/** Returns `12 pending → 3 starting → 40 running`, with a bar for all pods. */
const podLine = (view: ClusterView, style: Style, width: number): string => {
  const { pending, starting, running, terminating } = view.pods
  const all = pending + starting + running
  const share = all === 0 ? 0 : running / all
  const going = terminating > 0 ? `, ${terminating} terminating` : ''
  const texts = [`${pending} pending`, `${starting} starting`, `${running} running`] as const
  const room = width - 'Pods   '.length - 2 - textWidth(texts.join(' → ') + going)
  if (room < -2) return clip(`${padEnd('Pods', 7)}${texts.join(' → ')}${going}`, width)
  const parts = [
    style(pending > 0 ? 'yellow' : 'gray', texts[0]),
    style(starting > 0 ? 'cyan' : 'gray', texts[1]),
    style(running > 0 ? 'green' : 'gray', texts[2]),
  ]
  const meter = room < 4 ? '' : `${bar(share, Math.min(24, room))}  `
  return `${padEnd('Pods', 7)}${meter}${parts.join(' → ')}${style('gray', going)}`
}

const NODE: Column<ClaimRow> = { title: 'NODE', value: (row) => row.node ?? row.claim, shrink: true }
const CLAIM: Column<ClaimRow> = { title: 'NODECLAIM', value: (row) => row.claim, shrink: true }
const TYPE: Column<ClaimRow> = { title: 'TYPE', value: (row) => row.instanceType ?? '…' }
const ZONE: Column<ClaimRow> = { title: 'ZONE', value: (row) => row.zone ?? '…' }
const CAPACITY: Column<ClaimRow> = { title: 'CAPACITY', value: (row) => row.capacityType ?? '…' }
const PODS: Column<ClaimRow> = { title: 'PODS', value: (row) => String(row.pods), align: 'right' }
const PRICE: Column<ClaimRow> = {
  title: 'PRICE',
  value: (row) => (row.hourlyPrice === undefined ? '…' : perHour(row.hourlyPrice)),
  align: 'right',
}

const percent = (used: number | undefined): string => (used === undefined ? '' : `${Math.round(used * 100)}%`)

/** Returns the column sets of the table, widest first. Windows that are too narrow for any set use the last one. */
const columnSets = (style: Style): readonly (readonly Column<ClaimRow>[])[] => {
  const paint = (text: string, row: ClaimRow): string => style(stageFormat(row.stage), text)
  const state: Column<ClaimRow> = { title: 'STATE', value: (row) => stageMark[row.stage], paint }
  const mark: Column<ClaimRow> = { title: '', value: (row) => stageMark[row.stage].slice(0, 1), paint }
  const bars: readonly Column<ClaimRow>[] = [
    { title: 'CPU', value: (row) => meter(row.cpuUsed) },
    { title: 'MEMORY', value: (row) => meter(row.memoryUsed) },
  ]
  const percents: readonly Column<ClaimRow>[] = [
    { title: 'CPU', value: (row) => percent(row.cpuUsed), align: 'right' },
    { title: 'MEM', value: (row) => percent(row.memoryUsed), align: 'right' },
  ]
  return [
    [NODE, state, TYPE, ZONE, CAPACITY, PODS, ...bars, PRICE],
    [NODE, state, TYPE, ZONE, CAPACITY, PODS, ...percents, PRICE],
    [CLAIM, mark, TYPE, ZONE, CAPACITY, PODS, ...percents, PRICE],
    [CLAIM, mark, TYPE, CAPACITY, PODS, ...percents, PRICE],
    [CLAIM, mark, TYPE, PODS, PRICE],
  ]
}

/** Minimum width of a shortened name that is still recognizable. */
const NAME_WIDTH = 16

const claimTable = (claims: readonly ClaimRow[], style: Style, width: number): readonly string[] => {
  const sets = columnSets(style)
  const fits = (columns: readonly Column<ClaimRow>[]): boolean => {
    const [name, ...others] = columns
    const names = claims.map((row) => textWidth(name?.value(row) ?? ''))
    const rest = Math.max(...table(claims, others, Number.POSITIVE_INFINITY).map(textWidth))
    return rest + 2 + Math.min(NAME_WIDTH, Math.max(0, ...names)) <= width
  }
  return table(claims, sets.find(fits) ?? sets.at(-1) ?? [], width)
}

/** A section of the screen. It may get fewer rows than it has lines. */
interface Section {
  readonly head: readonly string[]
  readonly rows: readonly string[]
  /** Returns the line that replaces rows that do not fit. If absent, the section drops its first rows instead, as in a log. */
  readonly more?: (count: number) => string
  /** The minimum number of rows. Every section gets its minimum before any section gets more. */
  readonly least: number
}

/** Returns the section shortened to this number of lines. Returns an empty list if its head and one row do not fit. */
const inRoom = ({ head, rows, more }: Section, room: number): readonly string[] => {
  if (rows.length === 0 || room <= head.length) return []
  if (head.length + rows.length <= room) return [...head, ...rows]
  if (more === undefined) return [...head, ...rows.slice(head.length - room)]
  const shown = room - head.length - 1
  return [...head, ...rows.slice(0, shown), more(rows.length - shown)]
}

/**
 * Returns the number of lines for each section. Every section first gets its minimum. The remaining lines go to the sections in order, each
 * of which gets as many as it needs.
 */
const shareRoom = (sections: readonly Section[], room: number): readonly number[] => {
  let left = room
  const take = (wanted: number): number => {
    const taken = Math.max(0, Math.min(wanted, left))
    left -= taken
    return taken
  }
  const least = sections.map(({ head, rows, least }) =>
    take(rows.length === 0 ? 0 : head.length + Math.min(rows.length, least)),
  )
  return sections.map(({ head, rows }, index) => {
    const has = least[index] ?? 0
    return rows.length === 0 ? 0 : has + take(head.length + rows.length - has)
  })
}

const stateOf = ({ settled, consolidatesIn }: ClusterView, style: Style): string => {
  if (settled) return style('green', 'settled')
  if (consolidatesIn === undefined) return style('yellow', 'working')
  return style(
    'yellow',
    consolidatesIn === 0 ? 'looking for nodes to consolidate' : `nodes can be consolidated in ${consolidatesIn} s`,
  )
}

const HELP = [
  'Keys',
  '  ?  this page and back      q or Ctrl-C  stops the cluster and removes everything',
  '',
  'Nodes',
  '  ◌ launching → ◔ registering → ◑ initialising → ● ready → ○ terminating',
  '  CPU, MEMORY: requests of the pods / allocatable of the node',
  '',
  'Try in another terminal, after the line with KUBECONFIG',
  '  kubectl get nodepools,nodeclaims,nodes',
  '  kubectl scale deployment nginx --replicas 50',
  '  kubectl delete node NAME',
  '  kubectl explain nodepool.spec.disruption',
] as const

/** Returns the number of rows that a line occupies in a window of this width. */
const parseRows = (line: string, width: number): number => Math.max(1, Math.ceil(textWidth(line) / width))

/**
 * Returns the screen as lines that fill the window. No line is wider than the window, except notes, which wrap so that they can be
 * copied. The screen never exceeds a window of at least twelve rows.
 */
export const renderView = (
  frame: Frame,
  size: { readonly width: number; readonly height: number },
  style: Style,
): readonly string[] => {
  const { view } = frame
  const { width, height } = size
  // A claim without an instance type has no price yet, so it does not count as a claim with an unknown price.
  const unpriced = view.claims.filter((row) => row.instanceType !== undefined && row.hourlyPrice === undefined).length
  const cost = perHour(view.hourlyCost)
  const head = [
    `${style('bold', frame.title)}  ${stateOf(view, style)}  ${style('gray', `${view.seconds.toFixed(1)} s`)}`,
    podLine(view, style, width),
    `${padEnd('Cost', 7)}${style('bold', cost)}  ${style('gray', clip(`${perMonth(view.hourlyCost)}${unpricedNote(unpriced)}`, Math.max(1, width - 9 - cost.length)))}`,
  ]
  const notes = frame.notes.filter((line) => line !== '')
  const noteRows = notes.reduce((sum, line) => sum + parseRows(line, width), 0)
  const room = height - head.length - noteRows
  const sections = frame.showsHelp === true ? [helpSection(width)] : bodySections(frame, style, width)
  const shown = sections.filter(({ rows }) => rows.length > 0)
  // If there are enough rows, an empty line precedes each section and the notes.
  const gaps = room >= 14 + shown.length ? 1 : 0
  const rooms = shareRoom(shown, room - gaps * (shown.length + 1))
  const body = shown.flatMap((section, index) => {
    const lines = inRoom(section, rooms[index] ?? 0)
    return lines.length === 0 || gaps === 0 ? lines : ['', ...lines]
  })
  return [...head, ...body, ...(gaps === 1 ? [''] : []), ...notes]
}

const helpSection = (width: number): Section => ({ head: [], rows: HELP.map((line) => clip(line, width)), least: 20 })

const bodySections = ({ view, log }: Frame, style: Style, width: number): readonly Section[] => {
  const [tableHead = '', ...tableRows] = view.claims.length === 0 ? [] : claimTable(view.claims, style, width)
  const more = (count: number): string => style('gray', `  … and ${count} more`)
  const whys = view.claims.flatMap((row) =>
    row.why === undefined ? [] : [style('gray', clip(`  ${row.node ?? row.claim}: ${row.why}`, width))],
  )
  const claims: Section =
    view.claims.length === 0
      ? { head: [], rows: [style('gray', 'No nodes yet.')], least: 1 }
      : { head: [style('gray', tableHead)], rows: tableRows, more, least: 4 }
  const waiting: Section = {
    head: [style('yellow', 'Unschedulable pods')],
    rows: view.waiting.map(({ pod, why }) => clip(`  ${pod}: ${why}`, width)),
    more,
    least: 3,
  }
  const logged: Section = { head: [], rows: log.map((line) => style('gray', clip(line, width))), least: 4 }
  const reasons: Section = { head: [style('bold', 'Why these nodes')], rows: whys, more, least: 2 }
  return [claims, waiting, reasons, logged]
}
