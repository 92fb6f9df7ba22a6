"""What a sweep has come to: tables, JUnit XML, a page, and files of the worst cells."""
