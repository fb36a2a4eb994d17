// Read as text and run in the page: what a person with eyes and a keyboard would find, looked up in what the browser has laid out.

/** What is ours of the page, and a dialog that is open above it: the host's own pages answer for themselves. */
const parts = () => [...document.querySelectorAll('main .kerf, [role="dialog"]')]

const within = (selector) => parts().flatMap((part) => [...part.querySelectorAll(selector)])

const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0

/** Text for screen readers alone is as small as a dot. */
const isForReaders = (element) => {
  const { width, height } = element.getBoundingClientRect()
  return width <= 1 || height <= 1
}

const wordsOf = (element) => (element.innerText ?? element.textContent ?? '').replace(/\s+/g, ' ').trim()

const nameOf = (element) => {
  const place = element.closest('section[aria-label], [role="dialog"], table, form')
  const label = place?.getAttribute('aria-label') ?? place?.tagName.toLowerCase() ?? ''
  return `${element.tagName.toLowerCase()}${label === '' ? '' : ` of ${label}`} "${wordsOf(element).slice(0, 60)}"`
}

/** Whether the whole of a cut text can be had by pointing at it. */
const hasTooltip = (element) => {
  const words = wordsOf(element)
  const around = [element.closest('[title]'), element.closest('[aria-label]:not(section, table, ul, main)')]
  const told = [...around, ...element.querySelectorAll('[title], [aria-label]')]
    .filter((each) => each !== null)
    .flatMap((each) => [each.getAttribute('title') ?? '', each.getAttribute('aria-label') ?? ''])
    .map((each) => each.replace(/\s+/g, ' ').trim())
  return (
    told.some((each) => each.includes(words)) ||
    (told.join(' ') !== '' && words.split(' ').every((word) => told.join(' ').includes(word)))
  )
}

/** What is wider than the place it has, and which text is cut without a tooltip. */
/** In a narrow window, a table may scroll if the column with the names stays visible. */
const keepsItsNames = (element) =>
  element.tagName === 'TABLE' &&
  innerWidth < 1280 &&
  [...element.querySelectorAll('tbody tr:first-of-type td')].some(
    (cell) => getComputedStyle(cell).position === 'sticky',
  )

/** Up to these lengths, the names of objects and other words in a list are never cut in a window of ordinary width. */
const ORDINARY_NAME = 40
const ORDINARY_WORD = 20

const isCutName = (element, words) =>
  innerWidth >= 1280 &&
  element.closest('li') !== null &&
  element.tagName !== 'LI' &&
  words.length <= (element.querySelector('a[href]') === null ? ORDINARY_WORD : ORDINARY_NAME)

const layoutProblems = () => {
  const problems = []
  const main = document.querySelector('main')
  if (main !== null && main.scrollWidth > main.clientWidth + 1 && document.querySelector('main .kerf') !== null) {
    const wide = within('*').find(
      (each) => isSeen(each) && each.getBoundingClientRect().right > main.getBoundingClientRect().right + 1,
    )
    if (wide !== undefined) problems.push(`wider than the page: ${nameOf(wide)}`)
  }
  const elements = [...parts(), ...within('*')].filter(
    (element) => isSeen(element) && !isForReaders(element) && element.closest('svg, .monaco-editor') === null,
  )
  for (const element of elements) {
    const { overflowX, overflowY } = getComputedStyle(element)
    const isWide = element.scrollWidth > element.clientWidth + 1
    const isHigh = element.scrollHeight > element.clientHeight + 2
    const words = wordsOf(element)
    // A field scrolls what is typed.
    if (['INPUT', 'TEXTAREA'].includes(element.tagName) || words === '') continue
    if (isWide && ['auto', 'scroll'].includes(overflowX) && !keepsItsNames(element)) {
      problems.push(`wider by ${element.scrollWidth - element.clientWidth}: ${nameOf(element)}`)
    } else if (isWide && ['hidden', 'clip'].includes(overflowX) && !hasTooltip(element)) {
      problems.push(`cut without a tooltip: ${nameOf(element)}`)
    } else if (isHigh && ['hidden', 'clip'].includes(overflowY) && !hasTooltip(element)) {
      problems.push(`cut below without a tooltip: ${nameOf(element)}`)
    } else if ((isWide || isHigh) && overflowX === 'hidden' && isCutName(element, words)) {
      problems.push(`a name is cut: ${nameOf(element)}`)
    }
  }
  // Text that runs out of its cell, row or frame, over what stands beside it.
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode
    if (text.parentElement?.closest('.kerf') == null) continue
    const own = text.parentElement
    if (own === null || text.textContent?.trim() === '' || !isSeen(own) || isForReaders(own)) continue
    if (own.closest('svg, .monaco-editor, option, style') !== null) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const { right, left } = range.getBoundingClientRect()
    for (let place = own; place !== null && place.tagName !== 'MAIN'; place = place.parentElement) {
      const { overflowX, display } = getComputedStyle(place)
      if (overflowX !== 'visible') break
      if (display.startsWith('inline') || display === 'contents') continue
      if (!/^(TD|TH|LI|DD|DT|SECTION)$/.test(place.tagName) && !place.matches('.MuiPaper-root, .MuiTableCell-root'))
        continue
      const box = place.getBoundingClientRect()
      if (right > box.right + 1 || left < box.left - 1) problems.push(`runs out of its place: ${nameOf(own)}`)
      break
    }
  }
  return [...new Set(problems)]
}

/**
 * Numbers from which no link leads to what is behind them: each line of a list has one of its own, a tile or a chart has one. A tile
 * has one while its number is not known, too.
 */
const numbersWithoutLink = () => {
  const problems = within('.MuiPaper-root')
    .filter((tile) => isSeen(tile) && tile.querySelector('a[href]') === null)
    .map(nameOf)
  const walker = document.createTreeWalker(document.querySelector('main .kerf') ?? document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (element === null || !/\d/.test(walker.currentNode.textContent ?? '') || !isSeen(element)) continue
    const panel = element.closest('section, .MuiPaper-root')
    // The names below a chart belong to it.
    const isOfChart = panel?.querySelector('[role="figure"], [role="img"] svg') != null
    const place = isOfChart ? panel : (element.closest('li, [role="status"]') ?? panel)
    if (place?.querySelector('a[href]') == null && element.closest('a[href]') === null) problems.push(nameOf(element))
  }
  return [...new Set(problems)]
}

const MOST_FRAMES = 20
const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex^="-"])'

/** What the keyboard has to reach, in the order of the document. */
const controls = () =>
  within(CONTROLS).filter(
    (element) =>
      isSeen(element) &&
      !element.disabled &&
      element.getAttribute('tabindex') !== '-1' &&
      element.getAttribute('type') !== 'hidden' &&
      element.closest('[inert], .monaco-editor') === null &&
      // Of buttons that are one choice only the chosen one is stopped at.
      !(element.type === 'radio' && !element.checked),
  )

const looksOf = (element) => {
  const one = (each, pseudo) => {
    const {
      outlineStyle,
      outlineWidth,
      outlineColor,
      boxShadow,
      backgroundColor,
      borderColor,
      borderWidth,
      color,
      textDecorationLine,
      opacity,
    } = getComputedStyle(each, pseudo)
    return [
      outlineStyle === 'none' || outlineWidth === '0px' ? '' : [outlineStyle, outlineWidth, outlineColor],
      boxShadow,
      backgroundColor,
      borderColor,
      borderWidth,
      color,
      textDecorationLine,
      opacity,
    ].join()
  }
  const around = [element, element.parentElement, element.parentElement?.parentElement].filter((each) => each)
  return [
    ...around.flatMap((each) => [one(each), one(each, '::before'), one(each, '::after')]),
    ...[...element.querySelectorAll('*')].slice(0, 12).map((each) => one(each)),
    ...[...(element.parentElement?.querySelectorAll('fieldset') ?? [])].map((each) => one(each)),
    element.querySelectorAll('.MuiTouchRipple-root > *').length > 0 ? 'ripple' : '',
  ].join('|')
}

globalThis.kerfWalk = {
  layoutProblems,
  numbersWithoutLink,
  words: () => document.querySelector('main')?.innerText ?? '',
  /** Notes how each control looks while it has not the focus; answers how many there are. */
  begin() {
    document.activeElement?.blur?.()
    this.waiting = controls()
    this.looks = new Map(this.waiting.map((element) => [element, looksOf(element)]))
    // From what comes before what is ours.
    const everything = [...document.querySelectorAll(CONTROLS)].filter(isSeen)
    const [first] = this.waiting
    const place = first === undefined ? -1 : everything.indexOf(first)
    const before = everything[place - 1] ?? document.querySelector('main')
    before?.focus()
    return this.waiting.length
  },
  /** Where the focus is after a step: in the main part or beyond, and whether it can be seen there. */
  async step() {
    const element = document.activeElement
    if (element === null || !parts().some((part) => part.contains(element) && part !== element)) return { isOver: true }
    const before = this.looks.get(element)
    this.waiting = this.waiting.filter((each) => each !== element)
    // A ring may be drawn, or fade in, over some frames.
    for (let frame = 0; frame < MOST_FRAMES && before === looksOf(element); frame++)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return { isOver: false, name: nameOf(element), isSeen: before === undefined || before !== looksOf(element) }
  },
  left() {
    return this.waiting.filter((each) => each.isConnected).map(nameOf)
  },
}
