import {
  conditionSets,
  isConditionTrue,
  type KubeObject,
  karpenterKinds,
  type NodePool,
  nodePoolResource,
} from '@kerf/apis'
import { legacyKinds, type Provisioner } from '@kerf/apis/legacy'
import { type Controller, done, isNotFound, mapLimit, type Outcome, retryAfter, source } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { findNodeClass } from '../nodepool/pool-sources.ts'
import { convertProvisioner, legacyTemplateName } from './conversion.ts'
import { isMadeFrom, keepConverted, OWNER_INDEX, ownerUids } from './keep-in-step.ts'
import { type LegacyDeps, patiently, RECHECK_AFTER } from './legacy-deps.ts'
import { findReadiness, whyNotReady, writeOldStatus } from './old-status.ts'

const TEMPLATE_INDEX = 'legacy.template'

const objectName = ({ metadata }: KubeObject): string => metadata.name

/**
 * Returns why a pool is not ready. The reason comes from the conditions of its node class if the node class is the cause, otherwise from
 * those of the pool.
 */
const whyPoolWaits = (deps: Deps, pool: NodePool): string => {
  const nodeClass = findNodeClass(deps.informers, deps.provider, pool)
  const ref = pool.spec.template.spec.nodeClassRef
  return nodeClass === undefined || isConditionTrue(pool, 'NodeClassReady')
    ? whyNotReady(`NodePool/${objectName(pool)}`, pool)
    : whyNotReady(`${ref.kind}/${ref.name}`, nodeClass)
}

type Amounts = Readonly<Record<string, unknown>>

/** Returns a merge patch that replaces the amounts. A merge patch does not delete missing fields, so removed amounts are set to null. */
const amountsPatch = (before: Amounts = {}, after: Amounts = {}): Amounts => ({
  ...Object.fromEntries(Object.keys(before).flatMap((key) => (Object.hasOwn(after, key) ? [] : [[key, null]]))),
  ...after,
})

/**
 * Keeps a NodePool in sync with every Provisioner. If the Provisioner itself describes a node class, keeps that node class in sync, too.
 * The Provisioner owns both objects. When it is deleted, the garbage collector deletes them, or keeps them if the deletion uses the orphan
 * policy. If a conversion fails, the status contains the error, and the objects of the last conversion remain.
 */
export class LegacyProvisioners {
  readonly #all
  readonly #templates
  readonly #pools
  readonly #classes
  readonly #nodeClass
  readonly #client
  readonly #log
  readonly #migrationOptions
  readonly #deps

  constructor({ deps, templates, nodeClass, migrationOptions }: LegacyDeps) {
    const { informers, client, log } = deps
    const all = informers.of(legacyKinds.Provisioner)
    this.#templates = informers.of(templates.resource.kind)
    this.#pools = informers.of(karpenterKinds.NodePool)
    const classes = informers.of(nodeClass.kind)
    all.index(TEMPLATE_INDEX, (object) => [legacyTemplateName(object)].filter((name) => name !== undefined))
    classes.index(OWNER_INDEX, ownerUids)
    this.#all = all
    this.#classes = classes
    this.#nodeClass = nodeClass
    this.#client = client
    this.#log = log
    this.#migrationOptions = migrationOptions
    this.#deps = deps
  }

  controller(): Controller {
    return {
      name: 'legacy.provisioner',
      sources: [
        source(this.#all, ({ after }) => (after === undefined ? [] : [objectName(after)])),
        source(this.#templates, ({ before, after }) => this.#namesBy((after ?? before)?.metadata.name ?? '')),
        source(this.#pools, ({ before, after }) => [(after ?? before)?.metadata.name ?? '']),
        source(this.#classes, ({ before, after }) => {
          const { name = '', ownerReferences = [] } = (after ?? before)?.metadata ?? {}
          const owners = ownerReferences
            .filter((owner) => owner.kind === legacyKinds.Provisioner.kind)
            .map((owner) => owner.name)
          return [name, ...owners, ...this.#namesBy(name)]
        }),
      ],
      concurrency: 10,
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const object = this.#all.get(name)
    // The garbage collector deletes or orphans the converted objects, depending on the deletion policy.
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return done()
    return patiently(() => this.#serve(object, signal))
  }

  #namesBy(template: string): readonly string[] {
    return this.#all.by(TEMPLATE_INDEX, template).map(objectName)
  }

  /** Deletes the node classes that this Provisioner no longer refers to. A finalizer delays the deletion until their nodes are gone. */
  async #dropOldClasses(object: Provisioner, made: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    const { kind } = this.#nodeClass
    const wanted = new Set(made.filter((each) => each.kind === kind.kind).map(objectName))
    const drop = async ({ metadata }: KubeObject): Promise<void> => {
      const { name = '', uid } = metadata
      if (wanted.has(name) || metadata.deletionTimestamp !== undefined) return
      try {
        await this.#client.delete(kind, { name }, { preconditions: uid === undefined ? {} : { uid }, signal })
        this.#log.info('deleted because its legacy object no longer needs it', { [kind.kind]: { name } })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    await mapLimit(this.#classes.by(OWNER_INDEX, object.metadata.uid ?? ''), 1, drop, signal)
  }

  async #serve(object: Provisioner, signal: AbortSignal): Promise<Outcome> {
    const template = this.#templates.get(legacyTemplateName(object) ?? '')
    const conversion = convertProvisioner(object, template, await this.#migrationOptions(signal))
    const kept = [nodePoolResource, this.#nodeClass]
    const converted = await keepConverted(
      this.#deps,
      { kind: legacyKinds.Provisioner, object },
      conversion,
      kept,
      signal,
    )
    const isKept = conversion.converts && converted.status === 'True'
    if (isKept) await this.#dropOldClasses(object, conversion.objects, signal)
    const pool = this.#pools.get(objectName(object))
    const own = pool !== undefined && isMadeFrom(pool, object) ? pool : undefined
    const status = {
      converted,
      ready: findReadiness('NodePoolReady', own, (each) => whyPoolWaits(this.#deps, each)),
      fields: conversion.fields,
      rest: {
        ...(isKept ? { nodePool: objectName(object), nodeClass: conversion.nodeClass } : {}),
        resources: amountsPatch(object.status?.resources, own?.status?.resources),
      },
    }
    await writeOldStatus(this.#deps, legacyKinds.Provisioner, conditionSets.Provisioner, object, status, signal)
    return retryAfter(RECHECK_AFTER[isKept ? 'kept' : 'refused'])
  }
}
