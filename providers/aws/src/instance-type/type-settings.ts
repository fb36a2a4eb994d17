export interface TypeSettings {
  readonly region: string
  /** `VM_MEMORY_OVERHEAD_PERCENT`: the part of the memory that the hypervisor keeps, until it is known. */
  readonly vmMemoryOverheadPercent: number
  /** `RESERVED_ENIS`: network interfaces that pods get no addresses of. */
  readonly reservedEnis: number
}

export const defaultTypeSettings: Omit<TypeSettings, 'region'> = { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 }
