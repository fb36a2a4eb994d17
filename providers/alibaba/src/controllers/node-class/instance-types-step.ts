import type { Step } from '@kerf/provider-kit'
import type { ECSNodeClass } from '../../node-class/ecs-node-class.ts'
import type { TypeResolver } from '../../offers/type-resolver.ts'

const TYPE = 'InstanceTypesReady'

/** Reads what the instance types of every node class depend on: the ACK cluster, and the types and the stock of the region. */
export const instanceTypesStep = (types: Pick<TypeResolver, 'read'>): Step<ECSNodeClass> => ({
  condition: TYPE,
  run: async (_, signal) => {
    await types.read(signal)
    return { condition: { type: TYPE, status: 'True' } }
  },
})
