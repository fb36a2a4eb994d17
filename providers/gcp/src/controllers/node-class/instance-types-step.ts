import type { NodePool } from '@kerf/apis'
import type { Step } from '@kerf/provider-kit'
import type { GCENodeClass } from '../../node-class/gce-node-class.ts'
import type { TypeResolver } from '../../offers/type-resolver.ts'

const TYPE = 'InstanceTypesReady'
/** The maximum number of instance types in a message. */
const MOST_NAMED = 3

const named = (types: readonly string[]): string =>
  types.length <= MOST_NAMED
    ? types.join(', ')
    : `${types.slice(0, MOST_NAMED).join(', ')} and ${types.length - MOST_NAMED} more`

/**
 * Reads the data from which the instance types of a node class are computed: the cluster, its zones, and the types of the region. Also
 * reports each NodePool whose instance types all lack support for the class's disks. This does not make the class unready, because other
 * NodePools may use it.
 */
export const instanceTypesStep = (
  types: Pick<TypeResolver, 'read' | 'withoutDisks'>,
  poolsOfClass: (name: string) => readonly NodePool[],
): Step<GCENodeClass> => ({
  condition: TYPE,
  run: async (nodeClass, signal) => {
    await types.read(signal)
    const problems: string[] = []
    for (const { metadata, spec } of poolsOfClass(nodeClass.metadata.name)) {
      const barred = await types.withoutDisks(nodeClass, spec.template.spec.requirements, signal)
      if (barred.length > 0)
        problems.push(
          `NodePool "${metadata.name}": ${named(barred)} cannot attach the disks of this class, and no other instance type meets its requirements; change the category in spec.disks, or the requirements of the NodePool`,
        )
    }
    return {
      condition: {
        ...{ type: TYPE, status: 'True' },
        ...(problems.length === 0 ? {} : { reason: 'DisksUnsupported', message: problems.join('; ') }),
      },
    }
  },
})
