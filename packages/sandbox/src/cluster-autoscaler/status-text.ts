import type { Milliseconds } from '@kerf/apis'
import type { ScaledGroup } from './scaled-group.ts'

/** Returns a time as Go prints it: `2026-08-22 09:00:00.1 +0000 UTC`. */
const goTime = (at: Milliseconds): string => {
  const text = new Date(at).toISOString()
  const [day = '', clock = ''] = text.slice(0, -1).split('T')
  const [seconds = '', fraction = ''] = clock.split('.')
  const short = fraction.replace(/0+$/, '')
  return `${day} ${seconds}${short === '' ? '' : `.${short}`} +0000 UTC`
}

export interface StatusGroup {
  readonly group: ScaledGroup
  readonly ready: number
  readonly notStarted: number
  readonly candidates: number
  readonly isGrowing: boolean
}

export interface StatusContent {
  readonly now: Milliseconds
  readonly isHealthy: boolean
  readonly ready: number
  readonly unready: number
  readonly candidates: number
  readonly groups: readonly StatusGroup[]
}

const scaleDown = (candidates: number): string => (candidates === 0 ? 'NoCandidates' : 'CandidatesPresent')

/** Returns the YAML text of the status ConfigMap (`docs/spec/coexistence.md#status`). */
export const statusText = ({ now, isHealthy, ready, unready, candidates, groups }: StatusContent): string =>
  [
    `time: ${goTime(now)}`,
    'autoscalerStatus: Running',
    'clusterWide:',
    '  health:',
    `    status: ${isHealthy ? 'Healthy' : 'Unhealthy'}`,
    '    nodeCounts:',
    '      registered:',
    `        total: ${ready + unready}`,
    `        ready: ${ready}`,
    '        notStarted: 0',
    '        unready:',
    `          total: ${unready}`,
    '  scaleUp:',
    `    status: ${groups.some(({ isGrowing }) => isGrowing) ? 'InProgress' : 'NoActivity'}`,
    '  scaleDown:',
    `    status: ${scaleDown(candidates)}`,
    ...(candidates === 0 ? [] : [`    candidates: ${candidates}`]),
    'nodeGroups:',
    ...groups.flatMap(({ group, ready: own, notStarted, candidates: ownCandidates, isGrowing }) => [
      `- name: ${group.name}`,
      '  health:',
      '    status: Healthy',
      '    nodeCounts:',
      '      registered:',
      `        total: ${own + notStarted}`,
      `        ready: ${own}`,
      `        notStarted: ${notStarted}`,
      `    cloudProviderTarget: ${group.size}`,
      `    minSize: ${group.min}`,
      `    maxSize: ${group.max}`,
      '  scaleUp:',
      `    status: ${isGrowing ? 'InProgress' : 'NoActivity'}`,
      '    backoffInfo: {}',
      '  scaleDown:',
      `    status: ${scaleDown(ownCandidates)}`,
      ...(ownCandidates === 0 ? [] : [`    candidates: ${ownCandidates}`]),
    ]),
    '',
  ].join('\n')
