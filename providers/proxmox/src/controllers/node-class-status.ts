import type { KubeObject } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, nodeClassHashing } from '@kerf/provider-kit'
import { type Controller, source, specSource } from '@kerf/runtime'
import type { CloudInitDisks } from '../cloud-init/cloud-init-disks.ts'
import { toStepCause } from '../failures/step-cause.ts'
import { NODE_CLASS_FINALIZER, nodeClassHashAnnotations } from '../names.ts'
import { proxmoxNodeClassConditions } from '../node-class/conditions.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from '../node-class/hash.ts'
import { type ProxmoxNodeClass, proxmoxNodeClassKind } from '../node-class/proxmox-node-class.ts'
import { proxmoxTemplateKind } from '../node-class/proxmox-template.ts'
import { unmanagedTemplateKind } from '../node-class/unmanaged-template.ts'
import { metadataStep } from './metadata-step.ts'
import { type TemplateStepDeps, templateStep } from './template-step.ts'

/** Returns the controllers that resolve ProxmoxNodeClasses and maintain their hash. */
export const nodeClassControllers = (
  context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>,
  deps: TemplateStepDeps & { readonly disks: CloudInitDisks | undefined },
): readonly Controller[] => {
  const classes = context.informers.of(proxmoxNodeClassKind)
  const users = (template: KubeObject | undefined): readonly string[] =>
    [...classes.values()]
      .filter(({ spec }) => spec?.instanceTemplateRef.name === template?.metadata.name)
      .map(({ metadata }) => metadata.name)
  return [
    new NodeClassStatus<ProxmoxNodeClass>({
      context,
      kind: proxmoxNodeClassKind,
      conditions: proxmoxNodeClassConditions,
      steps: [templateStep(deps), metadataStep(deps.disks)],
      causeOf: toStepCause,
      // Kerf creates nothing in Proxmox for a class, but the class must exist until its NodeClaims are gone.
      finalizer: { name: NODE_CLASS_FINALIZER, release: async () => undefined },
      sources: [
        specSource(context.informers.of(unmanagedTemplateKind), ({ before, after }) => users(after ?? before)),
        // Kerf can use a class as soon as the status of its template has zones.
        source(context.informers.of(proxmoxTemplateKind), ({ before, after }) => users(after ?? before)),
      ],
    }).controller(),
    nodeClassHashing<ProxmoxNodeClass>({
      context,
      kind: proxmoxNodeClassKind,
      annotations: nodeClassHashAnnotations,
      hash: { version: NODE_CLASS_HASH_VERSION, of: nodeClassHash },
    }),
  ]
}
