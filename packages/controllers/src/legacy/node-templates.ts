import type { Condition, KubeObject } from '@kerf/apis'
import { type Controller, done, type Outcome, retryAfter, source } from '@kerf/runtime'
import { convertTemplate } from './conversion.ts'
import { isMadeFrom, keepConverted } from './keep-in-step.ts'
import { type LegacyDeps, patiently, RECHECK_AFTER } from './legacy-deps.ts'
import { findReadiness, type OldObject, whyNotReady, writeOldStatus } from './old-status.ts'

type NodeClass = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } }

/**
 * Keeps a node class of the same name in sync with each legacy template. `LegacyProvisioners` does the same for Provisioners and NodePools.
 */
export const legacyNodeTemplates = ({ deps, templates, nodeClass, migrationOptions }: LegacyDeps): Controller => {
  const { informers } = deps
  const { kind } = templates.resource
  const classKind = nodeClass.kind
  const all = informers.of(kind)
  const classes = informers.of(classKind)

  const serve = async (object: OldObject, signal: AbortSignal): Promise<Outcome> => {
    const conversion = convertTemplate(object, await migrationOptions(signal))
    const converted = await keepConverted(deps, { kind, object }, conversion, [nodeClass], signal)
    const isKept = conversion.converts && converted.status === 'True'
    const { name = '' } = object.metadata
    const found: NodeClass | undefined = classes.get(name)
    const own = found !== undefined && isMadeFrom(found, object) ? found : undefined
    const status = {
      converted,
      ready: findReadiness('NodeClassReady', own, (made) => whyNotReady(`${classKind.kind}/${name}`, made)),
      fields: conversion.fields,
      rest: isKept ? { nodeClass: conversion.nodeClass } : {},
    }
    await writeOldStatus(deps, kind, templates.conditions, object, status, signal)
    return retryAfter(RECHECK_AFTER[isKept ? 'kept' : 'refused'])
  }

  return {
    name: 'legacy.nodetemplate',
    sources: [
      source(all, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
      source(classes, ({ before, after }) => [(after ?? before)?.metadata.name ?? '']),
    ],
    concurrency: 10,
    reconcile: async (name, signal) => {
      const object = all.get(name)
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return done()
      return patiently(() => serve(object, signal))
    },
  }
}
