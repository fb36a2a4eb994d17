/** Returns the zone label of an availability domain: its name without the tenancy's prefix, for example `PHX-AD-1` of `Uocm:PHX-AD-1`. */
export const zoneOfDomain = (availabilityDomain: string): string =>
  availabilityDomain.slice(availabilityDomain.indexOf(':') + 1)
