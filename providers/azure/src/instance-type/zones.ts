/** The zone label of a node without a zone. */
export const REGIONAL = '0'

/** Returns the zone label of nodes in a zone of the location, such as `westus2-1`. */
export const zoneLabel = (location: string, zone: string): string => `${location.toLowerCase()}-${zone}`

/** Returns the Azure zone of a zone label, or undefined for nodes without a zone. */
export const zoneOfLabel = (label: string): string | undefined =>
  label === REGIONAL ? undefined : label.slice(label.lastIndexOf('-') + 1)

export const choosePlacementScope = (label: string): 'zonal' | 'regional' => (label === REGIONAL ? 'regional' : 'zonal')
