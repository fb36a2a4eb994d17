/** Sections of a details page whose ids begin so come before the host's own: what only we know. */
export const FIRST = 'kerf.first.'

/** The host's line back and the title, which stay on top. */
const HEADERS: ReadonlySet<string> = new Set(['BACK_LINK', 'MAIN_HEADER'])

const idOf = (section: unknown): string => {
  if (typeof section !== 'object' || section === null || !('id' in section)) return ''
  return typeof section.id === 'string' ? section.id : ''
}

/** The sections of a details page, ours that say they come first before what every page has, the order otherwise as it was. */
export const withFirstSections = <Section>(sections: readonly Section[]): Section[] => {
  const rankOf = (section: Section): number => {
    const id = idOf(section)
    return HEADERS.has(id) ? 0 : id.startsWith(FIRST) ? 1 : 2
  }
  return [...sections].sort((a, b) => rankOf(a) - rankOf(b))
}
