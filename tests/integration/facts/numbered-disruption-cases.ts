interface NumberedCase {
  readonly from: number
  /** The last case, if the test covers several consecutive cases. */
  readonly to?: number
  /** The title of the test. */
  readonly test: string
}

/** The cases of `docs/spec/disruption-edge-cases.md` that have their own tests. */
export const numberedDisruptionCases: readonly NumberedCase[] = [
  { from: 1, test: 'while a claim is still launching, nothing is disrupted for half a minute' },
  {
    from: 15,
    to: 18,
    test: 'do-not-disrupt with a duration protects a pod until the duration ends; an invalid value does not protect it',
  },
  { from: 28, test: 'nodes of a NodePool whose instance types cannot be listed are not disrupted' },
  { from: 31, test: 'a node with a pod whose eviction costs nothing still counts as empty' },
  { from: 39, to: 41, test: 'windows' },
  { from: 43, test: 'absent reasons mean all reasons, and an empty list means none' },
  {
    from: 58,
    to: 59,
    test: 'an equal price is not cheaper, and nothing is cheaper than a node of an unknown type, whose price is 0',
  },
  { from: 69, test: 'the same type as a replaced node' },
  { from: 85, test: 'the only node of a pool may be disrupted if its pods fit elsewhere' },
  { from: 88, test: 'a pool that is not Balanced takes its share of the savings and cannot reject the move' },
  { from: 99, test: 'if a node disappears while its replacement starts, the command ends anyway' },
  { from: 134, test: 'is set if the claim lacks a required label, but not for NotIn and DoesNotExist' },
  { from: 140, test: 'is not repaired if it recovers, and its time starts again when it becomes unhealthy again' },
]
