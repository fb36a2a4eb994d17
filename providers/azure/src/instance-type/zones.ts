/** The zone label of a node that is in no zone. */
export const REGIONAL = '0'

/** The zone label of nodes in a zone of the location, as `westus2-1`. */
export const zoneLabel = (location: string, zone: string): string => `${location.toLowerCase()}-${zone}`

/** The zone of Azure that a zone label stands for; undefined for nodes in no zone. */
export const zoneOfLabel = (label: string): string | undefined =>
  label === REGIONAL ? undefined : label.slice(label.lastIndexOf('-') + 1)

export const placementScopeOf = (label: string): 'zonal' | 'regional' => (label === REGIONAL ? 'regional' : 'zonal')
