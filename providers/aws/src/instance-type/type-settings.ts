export interface TypeSettings {
  readonly region: string
  /**
   * `VM_MEMORY_OVERHEAD_PERCENT`: the fraction of the memory that the hypervisor keeps, used until the actual memory is known.
   */
  readonly vmMemoryOverheadPercent: number
  /** `RESERVED_ENIS`: the number of network interfaces that are reserved, so that pods do not get their addresses. */
  readonly reservedEnis: number
}

export const defaultTypeSettings: Omit<TypeSettings, 'region'> = { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 }
