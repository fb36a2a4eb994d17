import { karpenterKinds, type NodePool } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { isRefTo, NodeClassStatus, nodeClassHashing } from '@kerf/provider-kit'
import { type Controller, specSource } from '@kerf/runtime'
import { callCause } from '../../failures/call-cause.ts'
import type { ImageSources } from '../../images/image-sources.ts'
import { NODE_CLASS_FINALIZER, nodeClassHashAnnotations } from '../../names.ts'
import { gceNodeClassConditions } from '../../node-class/conditions.ts'
import { type GCENodeClass, gceNodeClassKind } from '../../node-class/gce-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from '../../node-class/hash.ts'
import type { TypeResolver } from '../../offers/type-resolver.ts'
import { imagesStep } from './images-step.ts'
import { instanceTypesStep } from './instance-types-step.ts'
import { validationStep } from './validation-step.ts'

/** The dependencies of the node class controllers. */
export interface GceNodeClassDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>
  readonly images: ImageSources
  readonly types: Pick<TypeResolver, 'read' | 'withoutDisks'>
}

/** Returns the controllers that resolve GCENodeClasses and maintain their hash (`providers/gcp/docs/spec/gcp.md#status`). */
export const gceNodeClassControllers = ({ context, images, types }: GceNodeClassDeps): readonly Controller[] => {
  const pools = context.informers.of(karpenterKinds.NodePool)
  const classes = context.informers.of(gceNodeClassKind)
  const poolsOfClass = (name: string): readonly NodePool[] =>
    [...pools.values()].filter(({ spec: { template } }) => {
      const ref = template.spec.nodeClassRef
      return isRefTo(gceNodeClassKind, ref) && ref.name === name
    })
  const status = new NodeClassStatus<GCENodeClass>({
    context,
    kind: gceNodeClassKind,
    conditions: gceNodeClassConditions,
    steps: [validationStep, imagesStep(images), instanceTypesStep(types, poolsOfClass)],
    causeOf: callCause,
    sources: [
      // The requirements of a NodePool matter only to a node class with disks.
      specSource(pools, ({ before, after }) =>
        [before, after]
          .flatMap((pool) => pool?.spec.template.spec.nodeClassRef.name ?? [])
          .filter((name) => (classes.get(name)?.spec?.disks ?? []).length > 0),
      ),
    ],
    // Kerf creates nothing in Google Cloud for a node class, but the class must exist until its NodeClaims are gone.
    finalizer: { name: NODE_CLASS_FINALIZER, release: async () => undefined },
  })
  return [
    status.controller(),
    nodeClassHashing<GCENodeClass>({
      context,
      kind: gceNodeClassKind,
      annotations: nodeClassHashAnnotations,
      hash: { version: NODE_CLASS_HASH_VERSION, of: nodeClassHash },
    }),
  ]
}
