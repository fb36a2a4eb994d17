import { type Condition, conditionSets, type KubeObject } from '@kerf/apis'
import { type AWSNodeTemplate, legacyKinds } from '@kerf/apis/legacy'
import { type Controller, done, type Outcome, retryAfter, source } from '@kerf/runtime'
import { convertTemplate } from './conversion.ts'
import { isMadeFrom, keepConverted } from './keep-in-step.ts'
import { type LegacyParts, patiently, RECHECK_AFTER } from './legacy-parts.ts'
import { readinessOf, whyNotReady, writeOldStatus } from './old-status.ts'

type NodeClass = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } }

/** Keeps a node class with the same name in sync with every AWSNodeTemplate, as `LegacyProvisioners` does with pools. */
export const legacyNodeTemplates = ({ deps, classKind, migrationOptions }: LegacyParts): Controller => {
  const { informers } = deps
  const kind = legacyKinds.AWSNodeTemplate
  const all = informers.of(kind)
  const classes = informers.of(classKind)

  const serve = async (object: AWSNodeTemplate, signal: AbortSignal): Promise<Outcome> => {
    const conversion = convertTemplate(object, await migrationOptions(signal))
    const converted = await keepConverted(deps, { kind, object }, conversion, [classKind], signal)
    const isKept = conversion.converts && converted.status === 'True'
    const { name = '' } = object.metadata
    const found: NodeClass | undefined = classes.get(name)
    const own = found !== undefined && isMadeFrom(found, object) ? found : undefined
    const status = {
      converted,
      ready: readinessOf('NodeClassReady', own, (nodeClass) => whyNotReady(`${classKind.kind}/${name}`, nodeClass)),
      fields: conversion.fields,
      rest: isKept ? { nodeClass: conversion.nodeClass } : {},
    }
    await writeOldStatus(deps, kind, conditionSets.AWSNodeTemplate, object, status, signal)
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
