/** A hypervisor with a template of a node class. */
export interface SelectedZone {
  readonly region: string
  /** The hypervisor. */
  readonly zone: string
  /** The ID of the template. */
  readonly template: number
}

/** Returns a zone in the format of the status: REGION/HYPERVISOR/TEMPLATE. */
export const formatZone = ({ region, zone, template }: SelectedZone): string => `${region}/${zone}/${template}`

/** Parses the zones in a status. Ignores invalid entries. */
export const parseZones = (entries: readonly string[] = []): readonly SelectedZone[] =>
  entries.flatMap((entry) => {
    const [, region, zone, template] = /^([^/]+)\/([^/]+)\/(\d+)$/.exec(entry) ?? []
    return region === undefined || zone === undefined ? [] : [{ region, zone, template: Number(template) }]
  })
