/** The blocks of spec 001 §2. All of them must exist and be used; there may be more. */
export const specifiedBlocks =
  "title title-sparkle description footnote paragraph signupEmail signupPassword signupName signupMarketingConsent programPromise studySchedule daySelection daySelectionConfirm proofProgress list slideshow wait preparingProgram preparingProgramSimple paragraphs guarantee payment appRating appStoreButton startHereImage table testimonial image bubble price skillsToImprove moreInfoOf programChangeWish paddle scheduleSummary chatbot avatar-image avatar-video avatar".split(
    " ",
  );
