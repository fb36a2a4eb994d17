import type { PoolOption, SetAside } from '@kerf/engine'
import type { Isolation } from './isolation.ts'

/** Reports the objects that a decision could not use. Later snapshots omit them. */
export const reportSetAside = (isolation: Isolation, setAside: readonly SetAside[] = []): void => {
  for (const { kind, object, error, isSure } of setAside)
    isolation.report({
      kind,
      stage: 'provisioning',
      object: isPoolOption(object) ? object.nodePool : object,
      error,
      isSure,
    })
}

const isPoolOption = (object: object): object is PoolOption => 'nodePool' in object && 'instanceTypes' in object
