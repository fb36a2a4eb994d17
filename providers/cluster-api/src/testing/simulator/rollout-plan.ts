/** The inputs of a rollout from one MachineSet. */
export interface SetCounts {
  readonly name: string
  /** `spec.replicas`. */
  readonly replicas: number
  /** `status.replicas`, as last written by the set's controller. It includes Machines that are being deleted. */
  readonly machines: number
  /** `status.availableReplicas`. */
  readonly available: number
}

/** The inputs of a rollout from the MachineDeployment. */
export interface RolloutRules {
  readonly strategy: 'OnDelete' | 'RollingUpdate'
  readonly replicas: number
  readonly maxSurge: number
  readonly maxUnavailable: number
}

/**
 * Returns the `spec.replicas` that the MachineDeployment controller writes to its sets in one round, by name. It follows Cluster API 1.14.2
 * (`machinedeployment_rollout_ondelete.go`, `machinedeployment_rollout_rollingupdate.go`), without in-place updates and without the
 * handling of a stuck rollout.
 *
 * @param old the oldest set first.
 */
export const planRollout = (
  rules: RolloutRules,
  newest: SetCounts,
  old: readonly SetCounts[],
): ReadonlyMap<string, number> => {
  const plan = new Map([newest, ...old].map((set) => [set.name, set.replicas]))
  plan.set(newest.name, replicasOfNewest(rules, newest, old))
  if (old.every((set) => set.replicas === 0)) return plan
  if (rules.strategy === 'OnDelete') lowerOnDelete(rules, newest, old, plan)
  else lowerRolling(rules, newest, old, plan)
  return plan
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const replicasOfNewest = (rules: RolloutRules, newest: SetCounts, old: readonly SetCounts[]): number => {
  if (newest.replicas >= rules.replicas) return rules.replicas
  const total = sum([newest, ...old].map((set) => Math.max(set.replicas, set.machines)))
  const allowed = rules.replicas + (rules.strategy === 'OnDelete' ? 0 : rules.maxSurge)
  const missing = Math.max(0, allowed - total)
  return newest.replicas + Math.min(missing, rules.replicas - newest.replicas)
}

/** First removes the replicas that have no Machine from each set. Then removes the MachineDeployment's excess replicas. */
const lowerOnDelete = (
  rules: RolloutRules,
  newest: SetCounts,
  old: readonly SetCounts[],
  plan: Map<string, number>,
): void => {
  const planned = (set: SetCounts): number => plan.get(set.name) ?? set.replicas
  let excess = Math.max(0, sum(old.map((set) => set.replicas)) + planned(newest) - rules.replicas)
  for (const set of old) {
    const empty = Math.max(0, set.replicas - set.machines)
    if (set.replicas <= 0 || empty === 0) continue
    plan.set(set.name, set.replicas - empty)
    excess -= empty
  }
  for (const set of old) {
    const down = Math.min(planned(set), Math.max(0, excess))
    if (down <= 0) continue
    // As in the real planner, this uses spec.replicas instead of the result of the first loop.
    plan.set(set.name, Math.max(0, set.replicas - down))
    excess -= down
  }
}

/** Removes unavailable replicas first, and never goes below the required availability. */
const lowerRolling = (
  rules: RolloutRules,
  newest: SetCounts,
  old: readonly SetCounts[],
  plan: Map<string, number>,
): void => {
  const all = [newest, ...old]
  const planned = (set: SetCounts): number => plan.get(set.name) ?? set.replicas
  const least = Math.max(0, rules.replicas - rules.maxUnavailable)
  const pending = sum(all.map((set) => Math.max(0, set.machines - Math.min(set.replicas, planned(set)))))
  const newestUnavailable = Math.max(0, newest.replicas - newest.available)
  let room = sum(all.map((set) => set.replicas)) - pending - least - newestUnavailable
  let available = sum(all.map((set) => set.available))
  for (const unavailableOnly of [true, false]) {
    for (const set of old) {
      const replicas = planned(set)
      if (room <= 0 || replicas <= 0) continue
      let down = Math.min(unavailableOnly ? Math.max(0, replicas - set.available) : replicas, room)
      if (down > 0 && set.available > 0) {
        let deleted = Math.max(0, set.machines - (replicas - down))
        if (available - least < deleted) {
          const left = Math.min(set.machines - Math.max(0, available - least), replicas)
          down = Math.max(0, replicas - left)
          deleted = Math.max(0, set.machines - left)
        }
        available -= Math.min(set.available, deleted)
      }
      plan.set(set.name, Math.max(0, replicas - down))
      room -= down
    }
  }
}
