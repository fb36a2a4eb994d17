import type { ApiCall } from '@kerf/sandbox'
import type { MakeInvariant } from './invariant.ts'

const CHANGES: ReadonlySet<ApiCall['verb']> = new Set(['create', 'delete', 'evict'])
const MOST_WRITES = 40

/** In a settled cluster, Kerf creates, deletes and evicts nothing, and updates very little. */
export const quiet: MakeInvariant = (environment) => {
  let changes: string[] = []
  let writes = new Map<string, number>()
  return {
    name: 'quiet',
    acted: ({ verb, kind, ref, subresource }) => {
      if (kind === undefined || kind.kind === 'Event' || kind.kind === 'Lease') return
      if (CHANGES.has(verb)) changes.push(`${verb} ${kind.kind} ${ref?.name ?? ''}`)
      if (verb === 'patch' || verb === 'update') {
        const what = `${verb} ${kind.kind} ${ref?.name ?? ''} ${subresource ?? ''}`
        writes.set(what, (writes.get(what) ?? 0) + 1)
      }
    },
    eventually: () => {
      changes = []
      writes = new Map()
      return environment.processes.leader.leads ? [] : ['no process leads']
    },
    quiet: () => [
      ...changes.map((each) => `Kerf acted in a settled cluster: ${each}`),
      ...[...writes]
        .filter(([, count]) => count > MOST_WRITES)
        .map(([what, count]) => `Kerf wrote ${count} times in a settled cluster: ${what}`),
    ],
  }
}
