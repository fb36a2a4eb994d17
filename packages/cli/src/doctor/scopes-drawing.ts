import { escapeHtml } from '../simulate/plot.ts'
import { counted } from '../terminal/amounts.ts'
import type { NodeSet, ScopedWorkload, Scopes } from './scopes.ts'

/** Maximum number of names in one region of the drawing. Further names are only counted. */
const NAMED = 7
const LINE = 17
const WIDTH = 900
const HEIGHT = 330
/** X coordinates of the three regions: only node groups, both, only NodePools. */
const COLUMNS = { groups: 40, both: 345, pools: 640 } as const

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

const listed = (workloads: readonly ScopedWorkload[], x: number, most: number): string => {
  const shown = workloads.slice(0, workloads.length > NAMED ? NAMED - 1 : NAMED)
  const rest = workloads.slice(shown.length)
  const restPods = rest.reduce((sum, { pods }) => sum + pods, 0)
  const lines = [
    ...shown.map(({ name, pods }) => ({ text: `${clipped(name, most)} · ${pods}`, full: name })),
    ...(rest.length === 0
      ? []
      : [{ text: `and ${rest.length} more · ${restPods}`, full: rest.map(({ name }) => name).join(', ') }]),
  ]
  return lines
    .map(
      ({ text, full }, index) =>
        `<text x="${x}" y="${150 + index * LINE}"><title>${escapeHtml(full)}</title>${escapeHtml(text)}</text>`,
    )
    .join('')
}

const heading = (title: string, workloads: readonly ScopedWorkload[], x: number): string => {
  const pods = workloads.reduce((sum, each) => sum + each.pods, 0)
  return `<text class="title" x="${x}" y="128">${title}: ${counted(pods, 'pod')}</text>`
}

const nodeText = (sets: readonly NodeSet[], x: number, most: number): string => {
  const nodes = sets.reduce((sum, each) => sum + each.nodes, 0)
  const names = sets.map(({ name, nodes: own }) => `${name} (${own})`).join(', ')
  return `<text class="nodes" x="${x}" y="90"><title>${escapeHtml(names)}</title>${counted(nodes, 'node')} in ${escapeHtml(clipped(names === '' ? 'none' : names, most))}</text>`
}

/**
 * Returns an SVG of two overlapping sets of pods: the pods that node groups can run, and the pods that NodePools can run. The SVG refers to
 * no external resources.
 */
export const scopesDrawing = ({ groups, pools, onlyGroups, both, onlyPools, neither }: Scopes): string => `
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Pods that node groups, NodePools or both can run">
<rect class="groups" x="20" y="40" width="590" height="${HEIGHT - 80}" rx="16"/>
<rect class="pools" x="325" y="54" width="555" height="${HEIGHT - 80}" rx="16"/>
<text class="title" x="${COLUMNS.groups}" y="72">Cluster Autoscaler</text>
<text class="title" x="${COLUMNS.pools}" y="72">NodePools</text>
${nodeText(groups, COLUMNS.groups, 26)}
${nodeText(pools, COLUMNS.pools, 24)}
${heading('Only node groups', onlyGroups, COLUMNS.groups)}${listed(onlyGroups, COLUMNS.groups, 34)}
${heading(both.length === 0 ? 'Both' : 'Both, launched twice', both, COLUMNS.both)}${listed(both, COLUMNS.both, 32)}
${heading('Only NodePools', onlyPools, COLUMNS.pools)}${listed(onlyPools, COLUMNS.pools, 28)}
<text x="20" y="${HEIGHT - 10}">${
  neither.length === 0
    ? 'Every workload fits a node group or a NodePool.'
    : escapeHtml(clipped(`Neither can run: ${neither.map(({ name, pods }) => `${name} · ${pods}`).join(', ')}`, 130))
}</text>
</svg>`
