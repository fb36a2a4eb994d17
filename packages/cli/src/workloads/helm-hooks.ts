import type { Manifest } from '../manifests/manifest.ts'
import { workloadName } from './workload.ts'

const HOOK = 'helm.sh/hook'
/** Maximum number of objects that the line lists. */
const NAMED = 5

/** The manifests without Helm hooks, and a line that lists the hooks. The objects of hooks do not exist while the release runs. */
export interface WithoutHooks {
  readonly manifests: readonly Manifest[]
  readonly note?: string
}

export const withoutHooks = (given: readonly Manifest[]): WithoutHooks => {
  const isHook = ({ object }: Manifest): boolean => object.metadata.annotations?.[HOOK] !== undefined
  const names = given.filter(isHook).map(({ object }) => workloadName(object))
  if (names.length === 0) return { manifests: given }
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return {
    manifests: given.filter((manifest) => !isHook(manifest)),
    note: `ignored Helm hooks: ${names.slice(0, NAMED).join(', ')}${more}`,
  }
}
