/** The prefix of the ids of sections that come before Headlamp's own sections on a details page. */
export const FIRST = 'kerf.first.'

/** Headlamp's back link and title, which stay at the top. */
const HEADERS: ReadonlySet<string> = new Set(['BACK_LINK', 'MAIN_HEADER'])

const sectionId = (section: unknown): string => {
  if (typeof section !== 'object' || section === null || !('id' in section)) return ''
  return typeof section.id === 'string' ? section.id : ''
}

/**
 * Returns the sections of a details page, with the plugin's first sections moved before Headlamp's. All others keep
 * their order.
 */
export const withFirstSections = <Section>(sections: readonly Section[]): Section[] => {
  const sectionRank = (section: Section): number => {
    const id = sectionId(section)
    return HEADERS.has(id) ? 0 : id.startsWith(FIRST) ? 1 : 2
  }
  return [...sections].sort((a, b) => sectionRank(a) - sectionRank(b))
}
