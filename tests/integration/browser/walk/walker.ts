import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { seriousViolations } from '../accessibility.ts'

const inPage = readFileSync(new URL('in-page.js', import.meta.url), 'utf8')

/** How a page is displayed: the window size in CSS pixels, and light or dark mode. */
export interface Appearance {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly isDark?: boolean
}

/** At a zoom of 200 %, a screen of 1440 × 900 has 720 × 450 CSS pixels. */
export const appearances: readonly Appearance[] = [
  { name: '1440', width: 1440, height: 900 },
  { name: '1440 dark', width: 1440, height: 900, isDark: true },
  { name: '1024', width: 1024, height: 768 },
  { name: '200 %', width: 720, height: 450 },
]

/** The appearances in which texts of other languages are checked. */
export const sizes: readonly Appearance[] = [
  ...appearances.filter(({ isDark = false }) => !isDark),
  { name: '2560', width: 2560, height: 1440 },
]

/**
 * More steps than any page has controls. If the focus has not returned to its start after this many steps, the page has a keyboard trap.
 */
const MOST_STEPS = 400

/** Waits until the text of the page stops changing, which means that all responses have arrived. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    `(() => {
      const main = document.querySelector('main')
      const now = main?.querySelector('.MuiCircularProgress-root') ? '' : main?.innerText.replace(/\\d+/g, '') ?? ''
      const last = globalThis.kerfLast
      if (last === undefined || last.now !== now || now === '') { globalThis.kerfLast = { now, since: performance.now() }; return false }
      return performance.now() - last.since > 350
    })()`,
    undefined,
    { polling: 50 },
  )
  await page.evaluate('globalThis.kerfLast = undefined')
}

const appearAs = async (page: Page, { width, height, isDark = false }: Appearance): Promise<void> => {
  await page.setViewportSize({ width, height })
  const change = page.getByRole('button', { name: isDark ? 'Dark theme' : 'Light theme' })
  if ((await change.count()) > 0) await change.click()
  await page.mouse.move(0, 0)
  await settled(page)
}

const keyboardProblems = async (page: Page): Promise<readonly string[]> => {
  const problems: string[] = []
  await page.evaluate('kerfWalk.begin()')
  for (let count = 0; ; count++) {
    await page.keyboard.press('Tab')
    const step = (await page.evaluate('kerfWalk.step()')) as { isOver: boolean; name: string; isSeen: boolean }
    if (step.isOver) break
    if (!step.isSeen) problems.push(`focus is not seen: ${step.name}`)
    if (count === MOST_STEPS) return [...problems, `the keyboard does not come out of ${step.name}`]
  }
  const left = (await page.evaluate('kerfWalk.left()')) as readonly string[]
  return [...problems, ...left.map((name) => `the keyboard does not reach ${name}`)]
}

/** Returns the numbers on the page that do not link to the objects that they count. */
export const numbersWithoutLink = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(inPage)
  return (await page.evaluate('kerfWalk.numbersWithoutLink()')) as string[]
}

/** Returns the texts that overflow or are cut off, for each of the appearances. */
export const findLayoutProblems = async (
  page: Page,
  inAppearances: readonly Appearance[],
): Promise<readonly string[]> => {
  const problems: string[] = []
  for (const look of inAppearances) {
    await appearAs(page, look)
    await page.evaluate(inPage)
    const found = (await page.evaluate('kerfWalk.layoutProblems()')) as string[]
    problems.push(...found.map((each) => `${look.name}: ${each}`))
  }
  return problems
}

/**
 * Returns the problems of a page in each of the appearances. Runs axe only in the first appearance and in the dark ones. Tests the keyboard
 * only in the first appearance, because this takes as long as everything else together, and not at all if `hasKeyboard` is false.
 */
export const pageProblems = async (
  page: Page,
  inAppearances: readonly Appearance[],
  { hasKeyboard = true }: { readonly hasKeyboard?: boolean } = {},
): Promise<readonly string[]> => {
  const problems: string[] = []
  for (const [index, look] of inAppearances.entries()) {
    problems.push(...(await findLayoutProblems(page, [look])))
    const found: string[] = []
    if (index === 0 || look.isDark === true)
      found.push(...(await seriousViolations(page)).map((each) => `axe: ${JSON.stringify(each)}`))
    if (index === 0 && hasKeyboard) problems.push(...(await keyboardProblems(page)))
    problems.push(...found.map((each) => `${look.name}: ${each}`))
  }
  return problems
}

/** Merges equal problems into one line that lists the appearances. */
export const inWords = (problems: readonly string[]): readonly string[] => {
  const found = new Map<string, string[]>()
  for (const problem of problems) {
    const look = [...appearances, ...sizes].find(({ name }) => problem.startsWith(`${name}: `))?.name
    const text = look === undefined ? problem : problem.slice(look.length + 2)
    found.set(text, [...(found.get(text) ?? []), ...(look === undefined ? [] : [look])])
  }
  return Array.from(found, ([text, at]) => (at.length === 0 ? text : `${text} (at ${at.join(', ')})`))
}
