import type { ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, nodeClassHashing } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { AlibabaApi } from '../../api/actions.ts'
import type { ClusterFacts } from '../../discovery/cluster-facts.ts'
import { toStepCause } from '../../failures/step-cause.ts'
import type { VSwitchAddresses } from '../../launch/vswitch-addresses.ts'
import { NODE_CLASS_FINALIZER, nodeClassHashAnnotations } from '../../names.ts'
import { ecsNodeClassConditions } from '../../node-class/conditions.ts'
import { type ECSNodeClass, ecsNodeClassKind } from '../../node-class/ecs-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from '../../node-class/hash.ts'
import type { TypeResolver } from '../../offers/type-resolver.ts'
import { imagesStep } from './images-step.ts'
import { instanceTypesStep } from './instance-types-step.ts'
import { securityGroupStep } from './security-group-step.ts'
import { validationStep } from './validation-step.ts'
import { vSwitchStep } from './vswitch-step.ts'

export interface EcsNodeClassDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>
  readonly api: AlibabaApi
  readonly region: string
  readonly cluster: ClusterFacts
  readonly addresses: Pick<VSwitchAddresses, 'learn'>
  readonly types: Pick<TypeResolver, 'read'>
}

/** Returns the controllers that resolve ECSNodeClasses and maintain their hash (`providers/alibaba/docs/spec/alibaba.md#status`). */
export const ecsNodeClassControllers = ({
  context,
  api,
  region,
  cluster,
  addresses,
  types,
}: EcsNodeClassDeps): readonly Controller[] => [
  new NodeClassStatus<ECSNodeClass>({
    context,
    kind: ecsNodeClassKind,
    conditions: ecsNodeClassConditions,
    steps: [
      vSwitchStep({ api, region }, addresses),
      securityGroupStep({ api, region }),
      imagesStep({ api, region, cluster }),
      instanceTypesStep(types),
      validationStep(),
    ],
    causeOf: toStepCause,
    // Kerf creates nothing in Alibaba Cloud for a node class, but the class must exist until its NodeClaims are gone.
    finalizer: { name: NODE_CLASS_FINALIZER, release: async () => undefined },
  }).controller(),
  nodeClassHashing<ECSNodeClass>({
    context,
    kind: ecsNodeClassKind,
    annotations: nodeClassHashAnnotations,
    hash: { version: NODE_CLASS_HASH_VERSION, of: nodeClassHash },
  }),
]
