import { isConflict, type KubeClient } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import type { ClusterApiKinds } from '../objects/kinds.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import { readMachineDeployment } from '../objects/machine-deployment.ts'

/** Cluster API's controllers, real or simulated, as the table controls them. */
export interface DeletionHarness {
  readonly client: KubeClient
  readonly kinds: ClusterApiKinds
  readonly namespace: string
  /** Creates a MachineDeployment with the strategy OnDelete. */
  addDeployment(name: string, replicas: number): Promise<void>
  /** Changes the MachineDeployment's template, so that it gets another MachineSet. */
  newRevision(name: string): Promise<void>
  /** Runs the controllers until the condition is true. @throws Error if that takes too long */
  until(what: string, isSo: () => Promise<boolean>): Promise<void>
  /** Runs the controllers long enough to detect a wrong action. */
  pass(): Promise<void>
}

const SLOW = 'kerf.sh/slow'

/** Operations on the Machines of one MachineDeployment, as a user makes them with kubectl. */
class Hands {
  readonly #harness: DeletionHarness
  readonly deployment: string

  constructor(harness: DeletionHarness, deployment: string) {
    this.#harness = harness
    this.deployment = deployment
  }

  async machines(): Promise<readonly Machine[]> {
    const { client, kinds, namespace } = this.#harness
    const labelSelector = `${clusterApiLabels.deploymentName}=${this.deployment}`
    const { items } = await client.list(kinds.Machine, { namespace, labelSelector })
    return items.map((item) => readMachine(item)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Returns true if a Machine is being deleted. Its phase shows that only after a controller has seen it. */
  async #isDeleting(): Promise<boolean> {
    const { client, kinds, namespace } = this.#harness
    const labelSelector = `${clusterApiLabels.deploymentName}=${this.deployment}`
    const { items } = await client.list(kinds.Machine, { namespace, labelSelector })
    return items.some(({ metadata }) => metadata.deletionTimestamp !== undefined)
  }

  /** Waits until nothing changes and there are `count` Machines that are not being deleted. Returns them. */
  async settled(count: number): Promise<readonly string[]> {
    await this.#harness.pass()
    await this.#harness.until(`${count} running machines of ${this.deployment}`, async () => {
      const machines = await this.machines()
      const isThere = machines.length === count && machines.every(({ phase }) => phase === 'Running')
      return isThere && !(await this.#isDeleting())
    })
    await this.#harness.pass()
    return (await this.machines()).map(({ name }) => name)
  }

  async mark(name: string): Promise<void> {
    const { client, kinds, namespace } = this.#harness
    const body = { metadata: { annotations: { [clusterApiAnnotations.deleteMachine]: 'test' } } }
    await client.patch(kinds.Machine, { namespace, name }, { type: 'merge', body })
  }

  async delete(name: string): Promise<void> {
    const { client, kinds, namespace } = this.#harness
    await client.delete(kinds.Machine, { namespace, name })
  }

  /** Like `delete`, but the Machine is gone only after `release` is called. */
  async deleteSlowly(name: string): Promise<{ release(): Promise<void> }> {
    const { client, kinds, namespace } = this.#harness
    const finalizers = async (change: (before: readonly string[]) => readonly string[]): Promise<void> => {
      // Cluster API's controllers write Machines continuously, so the finalizers are read again after each conflict.
      await this.#harness.until(`the finalizers of ${name}`, async () => {
        const { metadata } = await client.get(kinds.Machine, { namespace, name })
        const body = {
          metadata: { finalizers: change(metadata.finalizers ?? []), resourceVersion: metadata.resourceVersion },
        }
        try {
          await client.patch(kinds.Machine, { namespace, name }, { type: 'merge', body })
          return true
        } catch (error) {
          if (!isConflict(error)) throw error
          return false
        }
      })
    }
    await finalizers((before) => [...before, SLOW])
    await this.delete(name)
    await this.#harness.pass()
    return { release: () => finalizers((before) => before.filter((finalizer) => finalizer !== SLOW)) }
  }

  async scale(by: number): Promise<void> {
    const { client, kinds, namespace } = this.#harness
    const ref = { namespace, name: this.deployment }
    const { replicas } = readMachineDeployment(await client.get(kinds.MachineDeployment, ref))
    await client.patch(kinds.MachineDeployment, ref, { type: 'merge', body: { spec: { replicas: replicas + by } } })
  }
}

/** Returns the last name, because Cluster API prefers the first of equal Machines. */
const last = (names: readonly string[]): string => names.at(-1) ?? ''
const without = (names: readonly string[], ...gone: readonly string[]): readonly string[] =>
  names.filter((name) => !gone.includes(name))

/**
 * Defines tests that check which Machine Cluster API deletes (`providers/cluster-api/docs/spec/cluster-api.md#deletion`). Kerf's decisions
 * depend on every row of this table. Simulated and real controllers must pass the same table.
 *
 * @param concurrent runs the rows concurrently, each with its own MachineDeployment
 */
export const defineDeletionTable = (title: string, harnessOf: () => DeletionHarness, concurrent = false): void => {
  let made = 0
  const threeMachines = async (): Promise<Hands> => {
    const name = `table-${++made}`
    await harnessOf().addDeployment(name, 3)
    return new Hands(harnessOf(), name)
  }
  /** Three Machines of one template. */
  const oneSet = async (): Promise<{ readonly hands: Hands; readonly all: readonly string[] }> => {
    const hands = await threeMachines()
    return { hands, all: await hands.settled(3) }
  }
  /** Creates two Machines of the old template and two of the new one. */
  const twoSets = async (): Promise<{
    readonly hands: Hands
    readonly old: readonly string[]
    readonly fresh: readonly string[]
  }> => {
    const hands = await threeMachines()
    await hands.scale(-1)
    const old = await hands.settled(2)
    await harnessOf().newRevision(hands.deployment)
    await hands.scale(2)
    return { hands, old, fresh: without(await hands.settled(4), ...old) }
  }

  describe(title, { concurrent }, () => {
    test('one set, marked and scaled down: the marked one is deleted', async () => {
      const { hands, all } = await oneSet()
      await hands.mark(last(all))
      await hands.scale(-1)
      expect(await hands.settled(2)).toEqual(without(all, last(all)))
    })

    test('one set, deleted directly and scaled down: it is deleted without a replacement', async () => {
      const { hands, all } = await oneSet()
      await hands.delete(last(all))
      await hands.scale(-1)
      expect(await hands.settled(2)).toEqual(without(all, last(all)))
    })

    test('one set, deleted directly: it is replaced', async () => {
      const { hands, all } = await oneSet()
      await hands.delete(last(all))
      const left = await hands.settled(3)
      expect(left).toEqual(expect.arrayContaining([...without(all, last(all))]))
      expect(left).not.toContain(last(all))
    })

    test('one set, another one is being deleted: scaling down uses its place, and the marked one stays', async () => {
      const { hands, all } = await oneSet()
      const [other = ''] = all
      const { release } = await hands.deleteSlowly(other)
      await hands.mark(last(all))
      await hands.scale(-1)
      await harnessOf().pass()
      await release()
      expect(await hands.settled(2)).toEqual(without(all, other))
    })

    test('one set, another one is being deleted, and both replicas are removed: both are deleted', async () => {
      const { hands, all } = await oneSet()
      const [other = ''] = all
      const { release } = await hands.deleteSlowly(other)
      await hands.delete(last(all))
      await hands.scale(-2)
      await harnessOf().pass()
      await release()
      expect(await hands.settled(1)).toEqual(without(all, other, last(all)))
    })

    test('two sets, marked in the old one and scaled down: the marked one is deleted', async () => {
      const { hands, old, fresh } = await twoSets()
      await hands.mark(last(old))
      await hands.scale(-1)
      expect(await hands.settled(3)).toEqual([...without(old, last(old)), ...fresh].toSorted())
    })

    test('two sets, deleted directly in the old one and scaled down meanwhile: it is deleted', async () => {
      const { hands, old, fresh } = await twoSets()
      const { release } = await hands.deleteSlowly(last(old))
      await hands.scale(-1)
      await harnessOf().pass()
      await release()
      expect(await hands.settled(3)).toEqual([...without(old, last(old)), ...fresh].toSorted())
    })

    test('two sets, deleted directly in the old one and scaled down afterwards: the other old one is deleted too', async () => {
      const { hands, old, fresh } = await twoSets()
      await hands.delete(last(old))
      const replaced = await hands.settled(4)
      await hands.scale(-1)
      expect(await hands.settled(3)).toEqual(without(replaced, ...old))
      expect(replaced).toEqual(expect.arrayContaining([...fresh]))
    })

    test('two sets, marked in the new one and scaled down: an old one is deleted, and the marked one stays', async () => {
      const { hands, old, fresh } = await twoSets()
      await hands.mark(last(fresh))
      await hands.scale(-1)
      const left = await hands.settled(3)
      expect(left).toEqual(expect.arrayContaining([...fresh]))
      expect(left.filter((name) => old.includes(name))).toHaveLength(1)
    })

    test('two sets, deleted directly in the new one and scaled down: an old one is deleted too, and a new one is created', async () => {
      const { hands, old, fresh } = await twoSets()
      const { release } = await hands.deleteSlowly(last(fresh))
      await hands.scale(-1)
      await harnessOf().pass()
      await release()
      const left = await hands.settled(3)
      expect(left).not.toContain(last(fresh))
      expect(left.filter((name) => old.includes(name))).toHaveLength(1)
      expect(without(left, ...old, ...fresh)).toHaveLength(1)
    })

    test('two sets, deleted directly in the new one without scaling: it is deleted, and a new one is created', async () => {
      const { hands, old, fresh } = await twoSets()
      await hands.delete(last(fresh))
      const left = await hands.settled(4)
      expect(left).toEqual(expect.arrayContaining([...old, ...without(fresh, last(fresh))]))
      expect(left).not.toContain(last(fresh))
    })
  })
}
