import type { ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, nodeClassHashing } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { callCause } from '../../failures/call-cause.ts'
import type { ImageSources } from '../../images/image-sources.ts'
import { NODE_CLASS_FINALIZER, nodeClassHashAnnotations } from '../../names.ts'
import { gceNodeClassConditions } from '../../node-class/conditions.ts'
import { type GCENodeClass, gceNodeClassKind } from '../../node-class/gce-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from '../../node-class/hash.ts'
import { imagesStep } from './images-step.ts'
import { validationStep } from './validation-step.ts'

/** The collaborators of the node class controllers. */
export interface GceNodeClassDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>
  readonly images: ImageSources
}

/** Returns the controllers that resolve GCENodeClasses and maintain their hash (`providers/gcp/docs/spec/gcp.md#status`). */
export const gceNodeClassControllers = ({ context, images }: GceNodeClassDeps): readonly Controller[] => {
  const status = new NodeClassStatus<GCENodeClass>({
    context,
    kind: gceNodeClassKind,
    conditions: gceNodeClassConditions,
    steps: [validationStep, imagesStep(images)],
    causeOf: callCause,
    // Nothing is created in Google Cloud for a class, but its NodeClaims need the class until they are gone.
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
