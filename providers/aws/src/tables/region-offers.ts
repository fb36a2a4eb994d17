/** The zones of a region, and for each type of the table of instance types the zones that offered it. */
export interface RegionZones {
  /** In order. */
  readonly zones: readonly string[]
  /** In the order of the types; empty for a type that the region did not have. */
  readonly offeredIn: readonly (readonly string[])[]
}

/** The digits of a type: the bits of their places are zones, the first zone the lowest bit. Six zones at most. */
export const zoneDigits = '.123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+'

/** The regions of a table as `scripts/aws-instance-types.ts` writes it: name, letters of the zones, a mark for each type. */
export const readRegionOffers = (table: string): ReadonlyMap<string, RegionZones> =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => {
        const [region = '', letters = '', marks = ''] = line.split(' ')
        const zones = [...letters].map((letter) => `${region}${letter}`)
        // Types of one region share few lists.
        const lists = new Map([...new Set(marks)].map((mark) => [mark, zonesOf(zoneDigits.indexOf(mark), zones)]))
        return [region, { zones, offeredIn: [...marks].map((mark) => lists.get(mark) ?? []) }] as const
      }),
  )

const zonesOf = (bits: number, zones: readonly string[]): readonly string[] =>
  zones.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 1)
