import { ProblemError } from '@kerf/apis'
import { isOurGroup } from './node-class-kinds.ts'
import { listAt, objectName, textAt } from './read.ts'

/** A resource kind that the API server serves. */
export interface ServedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
}

/** The result of discovery for a cluster. `absent` means that the API server responded and serves no NodePools. */
export interface Discovery {
  readonly state: 'asking' | 'present' | 'absent' | 'unknown'
  readonly kinds: readonly ServedKind[]
}

/** The result before the first response. */
export const NOT_DISCOVERED: Discovery = { state: 'asking', kinds: [] }

/**
 * Requests all groups with their kinds in one response, which Kubernetes has supported since 1.30. An older API server
 * returns only the groups.
 */
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>

const aggregatedKinds = (answer: unknown): readonly ServedKind[] =>
  listAt(answer, 'items').flatMap((each) => {
    const group = objectName(each)
    if (!isOurGroup(group)) return []
    return listAt(each, 'versions').flatMap((served) =>
      listAt(served, 'resources').flatMap((resource) => {
        const plural = textAt(resource, 'resource')
        const kind = textAt(resource, 'responseKind', 'kind')
        if (plural === undefined || kind === undefined) return []
        return [{ group, version: textAt(served, 'version') ?? '', kind, plural }]
      }),
    )
  })

const groupKinds = async (answer: unknown, get: Get): Promise<readonly ServedKind[]> => {
  const groups = listAt(answer, 'groups').filter((group) => isOurGroup(textAt(group, 'name') ?? ''))
  const kinds = await Promise.all(
    groups.flatMap((group) =>
      listAt(group, 'versions').map(async (each): Promise<readonly ServedKind[]> => {
        const answer = await get(`/apis/${textAt(each, 'groupVersion') ?? ''}`)
        return listAt(answer, 'resources').flatMap((resource) => {
          const plural = textAt(resource, 'name')
          const kind = textAt(resource, 'kind')
          if (plural === undefined || kind === undefined || plural.includes('/')) return []
          return [{ group: textAt(group, 'name') ?? '', version: textAt(each, 'version') ?? '', kind, plural }]
        })
      }),
    ),
  )
  return kinds.flat()
}

/**
 * Returns the kinds of the autoscaler and of its providers that an API server serves. Rejects if a request fails, or if the response comes
 * from something else, such as the login page of a proxy. Such a response does not prove that a kind is absent.
 */
export const discover = async (get: Get): Promise<Discovery> => {
  const answer = await get('/apis', { Accept: AGGREGATED })
  const form = textAt(answer, 'kind')
  if (form !== 'APIGroupDiscoveryList' && form !== 'APIGroupList')
    throw new ProblemError(
      'The response to /apis is not a list of API groups. Check the proxy in front of the API server.',
    )
  const kinds = form === 'APIGroupDiscoveryList' ? aggregatedKinds(answer) : await groupKinds(answer, get)
  const present = kinds.some(({ group, kind }) => group === 'karpenter.sh' && kind === 'NodePool')
  return { state: present ? 'present' : 'absent', kinds }
}

/** Returns a resource kind in the first version that the API server lists for it, or undefined if the cluster does not serve the kind. */
export const servedKind = ({ kinds }: Discovery, group: string, kind: string): ServedKind | undefined =>
  kinds.find((each) => each.group === group && each.kind === kind)

/** Returns the node class kinds that the cluster serves, each in the API server's preferred version. */
export const servedNodeClasses = ({ kinds }: Discovery): readonly ServedKind[] => {
  const found = new Map<string, ServedKind>()
  for (const served of kinds) {
    const key = `${served.group}/${served.kind}`
    if (served.kind.endsWith('NodeClass') && !found.has(key)) found.set(key, served)
  }
  return [...found.values()]
}
