/** The zones of a region, and the zones that offer each type of the instance type table. */
export interface RegionZones {
  /** In order. */
  readonly zones: readonly string[]
  /** The zones of each instance type, in the order of the types. Empty for a type that the region did not offer. */
  readonly offeredIn: readonly (readonly string[])[]
}

/**
 * The digits that encode the zones of an instance type. Each bit of a digit stands for a zone, and the lowest bit for the first zone. There
 * are at most six zones.
 */
export const zoneDigits = '.123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+'

/** Parses the regions of a table that `tables/import-emulator.ts` wrote: name, letters of the zones, one digit per instance type. */
export const readRegionOffers = (table: string): ReadonlyMap<string, RegionZones> =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => {
        const [region = '', letters = '', marks = ''] = line.split(' ')
        const zones = [...letters].map((letter) => `${region}${letter}`)
        // The types of one region have only a few different lists, so equal lists share one object.
        const lists = new Map([...new Set(marks)].map((mark) => [mark, selectedZones(zoneDigits.indexOf(mark), zones)]))
        return [region, { zones, offeredIn: [...marks].map((mark) => lists.get(mark) ?? []) }] as const
      }),
  )

const selectedZones = (bits: number, zones: readonly string[]): readonly string[] =>
  zones.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 1)
