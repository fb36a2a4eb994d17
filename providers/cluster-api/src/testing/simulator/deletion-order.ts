import type { Milliseconds } from '@kerf/apis'
import type { Machine } from '../../objects/machine.ts'

/** `spec.deletion.order` of a MachineSet. */
export type DeletionOrder = 'Random' | 'Newest' | 'Oldest'

const TEN_DAYS: Milliseconds = 864_000_000

/**
 * Returns the Machines that a MachineSet deletes to remove `count`, including those that are already being deleted. The priorities are
 * those of Cluster API 1.14.2 (`machineset_deletion_order.go`): 100 for Machines that are being deleted, 80 for marked ones, and 50 for
 * unhealthy ones. The set's order gives the priority of all others, which for Random is always 20. Machines with equal priority are sorted
 * by name, so nothing is random. In-place updates (75) are not simulated.
 */
export const machinesToDelete = (
  machines: readonly Machine[],
  count: number,
  order: DeletionOrder,
  now: Milliseconds,
): readonly Machine[] =>
  machines
    .map((machine) => ({ machine, priority: machinePriority(machine, order, now) }))
    .sort((a, b) => b.priority - a.priority || (a.machine.name < b.machine.name ? -1 : 1))
    .slice(0, Math.max(0, count))
    .map(({ machine }) => machine)

const machinePriority = (machine: Machine, order: DeletionOrder, now: Milliseconds): number => {
  if (machine.isDeleting) return 100
  if (machine.isMarkedForDeletion) return 80
  if (!isHealthy(machine)) return 50
  const age = Math.max(0, now - (machine.createdAt ?? now))
  const oldest = 50 * (1 - Math.exp(-age / TEN_DAYS))
  switch (order) {
    case 'Random':
      return 20
    case 'Oldest':
      return oldest
    case 'Newest':
      return 50 - oldest
  }
}

/** Returns true if the Machine is healthy. Without a Node it is unhealthy. An unknown condition counts as healthy. */
const isHealthy = ({ nodeName, conditions }: Machine): boolean =>
  nodeName !== undefined &&
  !conditions.some(
    ({ type, status }) => (type === 'NodeHealthy' || type === 'HealthCheckSucceeded') && status === 'False',
  )
