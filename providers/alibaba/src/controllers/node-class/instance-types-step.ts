import type { Step } from '@kerf/provider-kit'
import type { ECSNodeClass } from '../../node-class/ecs-node-class.ts'
import type { TypeResolver } from '../../offers/type-resolver.ts'

const TYPE = 'InstanceTypesReady'

/** Reads the data from which the instance types of all node classes are computed: the ACK cluster, and the region's types and stock. */
export const instanceTypesStep = (types: Pick<TypeResolver, 'read'>): Step<ECSNodeClass> => ({
  condition: TYPE,
  run: async (_, signal) => {
    await types.read(signal)
    return { condition: { type: TYPE, status: 'True' } }
  },
})
