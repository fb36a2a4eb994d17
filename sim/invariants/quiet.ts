import type { ApiCall } from '@kerf/sandbox'
import type { MakeInvariant } from './invariant.ts'

const DEEDS: ReadonlySet<ApiCall['verb']> = new Set(['create', 'delete', 'evict'])
const MOST_WRITES = 40

/** At rest Kerf makes, deletes and evicts nothing, and writes next to nothing. */
export const quiet: MakeInvariant = (environment) => {
  let deeds: string[] = []
  let writes = new Map<string, number>()
  return {
    name: 'quiet',
    acted: ({ verb, kind, ref, subresource }) => {
      if (kind === undefined || kind.kind === 'Event' || kind.kind === 'Lease') return
      if (DEEDS.has(verb)) deeds.push(`${verb} ${kind.kind} ${ref?.name ?? ''}`)
      if (verb === 'patch' || verb === 'update') {
        const what = `${verb} ${kind.kind} ${ref?.name ?? ''} ${subresource ?? ''}`
        writes.set(what, (writes.get(what) ?? 0) + 1)
      }
    },
    eventually: () => {
      deeds = []
      writes = new Map()
      return environment.processes.leader.leads ? [] : ['no Kerf leads']
    },
    quiet: () => [
      ...deeds.map((deed) => `Kerf did something at rest: ${deed}`),
      ...[...writes]
        .filter(([, count]) => count > MOST_WRITES)
        .map(([what, count]) => `Kerf wrote ${count} times at rest: ${what}`),
    ],
  }
}
