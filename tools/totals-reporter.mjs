import { writeFileSync } from 'node:fs'

/** Returns how long a file took, including its imports and setup, which often take longer than its tests on two cores. */
const wholeDuration = ({ environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration }) =>
  environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration

const reported = (module) => ({
  status: module.state(),
  file: module.relativeModuleId,
  milliseconds: wholeDuration(module.diagnostic()),
  assertionResults: [...module.children.allTests()].map((test) => ({
    status: test.result().state,
    name: `${module.relativeModuleId} > ${test.fullName}`,
  })),
})

/**
 * A Vitest reporter that writes the data for `testTotals` to the file in KERF_TEST_REPORT. After KERF_TEST_LIMIT_SECONDS, it writes which
 * files have finished and which tests were running, and ends the run.
 */
export default class TotalsReporter {
  #ended = new Map()
  #modules = new Set()
  #tests = new Set()

  onTestRunStart() {
    const seconds = Number(process.env['KERF_TEST_LIMIT_SECONDS'])
    if (seconds > 0) setTimeout(() => this.#stop(seconds), seconds * 1000).unref()
  }

  onTestModuleStart(module) {
    this.#modules.add(module)
  }

  onTestModuleEnd(module) {
    this.#modules.delete(module)
    this.#ended.set(module.moduleId + module.project.name, module)
  }

  onTestCaseReady(test) {
    this.#tests.add(test)
  }

  onTestCaseResult(test) {
    this.#tests.delete(test)
  }

  onTestRunEnd(modules) {
    this.#write({ testResults: modules.map(reported) })
  }

  #stop(seconds) {
    const inTest = [...this.#tests].map((test) => `${test.module.relativeModuleId} > ${test.fullName}`)
    // No test of these files is running: each file is in a hook or is still being loaded.
    const between = [...this.#modules]
      .map((module) => module.relativeModuleId)
      .filter((file) => !inTest.some((name) => name.startsWith(`${file} > `)))
    this.#write({
      testResults: [...this.#ended.values()].map(reported),
      stopped: { seconds, running: [...inTest, ...between.map((file) => `${file} (in a hook, or loading)`)] },
    })
    process.exit(1)
  }

  #write(report) {
    const file = process.env['KERF_TEST_REPORT']
    if (file !== undefined) writeFileSync(file, JSON.stringify(report))
  }
}
